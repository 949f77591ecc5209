import type { Config } from '../config/config.ts'
import { mailFailure } from '../mail/mail-failure.ts'
import { openTransport } from '../mail/mail-transport.ts'
import { fault, type Problem } from './finding.ts'

/** Whether the mail server takes a connection, and the user name and password. No email is sent. */
export async function mailProblems({
  smtpUrl,
  mailFrom,
  baseUrl,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>): Promise<Problem[]> {
  if (smtpUrl === undefined) return []
  const transport = await openTransport({ smtpUrl, mailFrom, baseUrl })
  try {
    await transport.verify()
    return []
  } catch (error) {
    const reason = mailFailure(error) ?? 'The mail server refused the connection. Its log says why.'
    return [fault(`Emails cannot be sent. ${reason}`)]
  } finally {
    transport.close()
  }
}
