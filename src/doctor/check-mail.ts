import type { Config } from '../config/config.ts'
import { mailFailure } from '../mail/mail-failure.ts'
import { openTransport } from '../mail/mail-transport.ts'
import { fault, type Finding, findings } from './finding.ts'

/** Whether the mail server takes a connection, and the user name and password. No email is sent. */
export async function checkMail({
  smtpUrl,
  mailFrom,
  baseUrl,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>): Promise<Finding[]> {
  if (smtpUrl === undefined) return []
  const transport = await openTransport({ smtpUrl, mailFrom, baseUrl })
  try {
    await transport.verify()
    return findings('email', [], 'The mail server takes emails.')
  } catch (error) {
    const reason = mailFailure(error) ?? 'The mail server refused the connection. Its log says why.'
    return findings('email', [fault(`Emails cannot be sent. ${reason}`)], '')
  } finally {
    transport.close()
  }
}
