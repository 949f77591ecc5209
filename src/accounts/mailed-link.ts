import type { Writer } from '../mail/letters.ts'
import type { Mails } from '../mail/post-office.ts'

/** What a verb needs that mails a link. */
export type MailingDeps = { mails: Mails; baseUrl: string }

/** Called when a mail is about to be made that anybody can ask for; refuses when the address has had too many. */
export type MailCount = { countMail(email: string): void }

/** By which name people know this instance: only ever from BASE_URL, whatever Host a request named. */
export const writerOf = ({ baseUrl }: Pick<MailingDeps, 'baseUrl'>): Writer => ({
  service: new URL(baseUrl).host,
})

/** Who has not confirmed the address is not called by name: whoever signed up with it could make us say anything. */
export const nameToGreet = (owner: { name: string; email_verified_at: number | null }): string =>
  owner.email_verified_at === null ? '' : owner.name

export type MailedPage = 'verify-email' | 'confirm-email' | 'reset-password' | 'sign-up'

/**
 * The page of the dashboard that a mail leads to. The token stands behind the #, which browsers send to nobody: it is
 * in no server's log and no Referer. Opening the page uses nothing up; its button does.
 */
export const mailedLink = (baseUrl: string, page: MailedPage, token: string): string =>
  `${baseUrl}/dashboard/${page}#${token}`
