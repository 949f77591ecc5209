import { join } from 'node:path'
import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../runtime/log.ts'
import type { EmailTemplate } from './email-template.ts'
import { openTransport } from './mail-transport.ts'
import { mailOf, openOutbox } from './outbox.ts'
import { MailQueue, type MailQueueDeps } from './mail-queue.ts'

export type OpenMailQueueDeps = {
  log: Log
  clock: Clock
  metrics: MailQueueDeps['metrics']
  print(line: string): void
}

export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

/** Without a mail server, emails go to the outbox. */
export function openMailQueue(
  { log, clock, metrics, print }: OpenMailQueueDeps,
  { smtpUrl, mailFrom, baseUrl, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl' | 'dataDir'>,
): MailQueue {
  if (smtpUrl === undefined) {
    return new MailQueue({
      send: openOutbox({ folder: outboxFolder(dataDir), from: mailFrom, clock, print }),
      log,
      metrics,
    })
  }
  let transport: ReturnType<typeof openTransport> | undefined
  const send = async (email: EmailTemplate) => {
    transport ??= openTransport({ smtpUrl, mailFrom, baseUrl })
    await (await transport).sendMail(mailOf(email))
  }
  return new MailQueue({ send, log, metrics })
}
