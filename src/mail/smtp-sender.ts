import type { EmailTemplate } from './email-template.ts'
import { openTransport, type TransportSettings } from './mail-transport.ts'
import { mailOf } from './outbox.ts'

/** Sends emails to the mail server, each on a connection of its own. The library is loaded with the first one. */
export function smtpSender(settings: TransportSettings): (email: EmailTemplate) => Promise<void> {
  let transport: ReturnType<typeof openTransport> | undefined
  return async (email) => {
    transport ??= openTransport(settings)
    await (await transport).sendMail(mailOf(email))
  }
}
