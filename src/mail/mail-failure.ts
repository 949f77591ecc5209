import type { LogFields } from '../runtime/log.ts'

type SendError = { code?: string; command?: string; responseCode?: number; message: string }

/**
 * What keeps emails from the mail server, and what to do about it; undefined if the server has refused an email. Never a text
 * of the server, in which it may name a recipient.
 */
export function mailFailure(error: unknown): string | undefined {
  const { code, message: full } = error as SendError
  // With an address in it, it may be personal.
  const message = full.includes('@') ? String(code) : full
  if (code === 'EAUTH')
    return 'The mail server refused the user name or the password. Check both in SMTP_URL, with # / ? @ % percent-encoded.'
  if (code === 'EDNS')
    return `The host in SMTP_URL was not found (${reasonIn(message)}). Check its spelling and the DNS.`
  if (code === 'ETIMEDOUT')
    return `The mail server did not answer in time (${message}). Check host and port in SMTP_URL and the firewall, and use smtps:// where TLS is spoken from the start, as on port 465.`
  if (code !== 'ESOCKET' && code !== 'ECONNECTION' && code !== 'ETLS') return undefined
  if (/certificate|altnames/i.test(message))
    return `The certificate of the mail server was refused (${message}). Use the host name that it is for in SMTP_URL, renew it, or name its authority in NODE_EXTRA_CA_CERTS.`
  if (/SSL|TLS/.test(message))
    return `The mail server does not speak TLS as SMTP_URL says (${message}). Use smtp:// for ports 25 and 587, smtps:// for port 465.`
  if (message.includes('ECONNREFUSED'))
    return `Nothing listens at the port of SMTP_URL (${message}). Check host and port, and that the mail server runs.`
  return `The connection to the mail server failed (${message}). Check host and port in SMTP_URL and the firewall.`
}

/** `ENOTFOUND`, not the whole message, which repeats the host. */
const reasonIn = (message: string): string => /\bE[A-Z_]{3,}\b/.exec(message)?.[0] ?? message

/** Without the message, in which mail servers name the recipient: the log contains no personal data. */
export function failureFields(error: unknown): LogFields {
  const { code, command, responseCode } = error as SendError
  return { code, command, response_code: responseCode, reason: mailFailure(error) }
}

/** RFC 5321, 4.2.1: 5yz is permanent. So is what nodemailer itself refuses. */
export function isFinalFailure(error: unknown): boolean {
  const { code, responseCode } = error as SendError
  return responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500
}

/** Refused before the recipient or the text was known: the settings are wrong, or the server is. Other emails fare no better. */
export function isFailureOfAll(error: unknown): boolean {
  const { command, responseCode } = error as SendError
  if (mailFailure(error) !== undefined) return true
  return responseCode !== undefined && responseCode >= 500 && command !== 'RCPT TO' && command !== 'DATA'
}
