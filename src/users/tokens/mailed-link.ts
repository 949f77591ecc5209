import type { Writer } from '../../mail/account-emails.ts'
import type { MailSender } from '../../mail/mail-queue.ts'

export type MailingDeps = { mails: MailSender; baseUrl: string }

/** Called before an email that anybody can request. Throws if the email address has received too many. */
export type MailCount = { countMail(email: string): void }

/** The host in emails comes from BASE_URL only, never from the Host header of a request. */
export const writerOf = ({ baseUrl }: Pick<MailingDeps, 'baseUrl'>): Writer => ({
  service: new URL(baseUrl).host,
})

/** An unverified email gets no name: a stranger may have signed up with it and chosen the name. */
export const nameToGreet = (owner: { name: string; email_verified_at: number | null }): string =>
  owner.email_verified_at === null ? '' : owner.name

export type MailedPage = 'verify-email' | 'confirm-email' | 'reset-password' | 'sign-up' | 'invitation'

/**
 * A link to a page of the dashboard. Browsers do not send what follows the #, so the token is in no server log and no Referer.
 * Opening the page does not use the token; its button does.
 */
export const mailedLink = (baseUrl: string, page: MailedPage, token: string): string =>
  `${baseUrl}/dashboard/${page}#${token}`
