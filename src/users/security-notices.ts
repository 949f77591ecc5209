import {
  identityLinkedTemplate,
  keyCreatedTemplate,
  passkeyAddedTemplate,
  type SecurityNotice,
  twoFactorOffTemplate,
} from '../mail/security-emails.ts'
import { type MailingDeps, writerOf } from './tokens/mailed-link.ts'

/** Called before a change that the user is notified about. Throws if there were too many. */
export type NoticeCount = { countNotice(userId: number): void }

type Owner = { email: string; name: string }

export function notifyPasskeyAdded(deps: MailingDeps, owner: Owner, device: string): void {
  deps.mails.post(
    passkeyAddedTemplate(writerOf(deps), noticeOf(deps, owner, { device, page: 'account/security' })),
  )
}

export function notifyIdentityLinked(
  deps: MailingDeps,
  owner: Owner,
  { device, provider }: { device: string; provider: string },
): void {
  const notice = noticeOf(deps, owner, { device, page: 'account/security' })
  deps.mails.post(identityLinkedTemplate(writerOf(deps), { ...notice, provider }))
}

export function notifyTwoFactorOff(deps: MailingDeps, owner: Owner, device: string): void {
  deps.mails.post(
    twoFactorOffTemplate(writerOf(deps), noticeOf(deps, owner, { device, page: 'account/security' })),
  )
}

export function notifyKeyCreated(
  deps: MailingDeps,
  owner: Owner,
  { device, hint }: { device: string; hint: string },
): void {
  const notice = noticeOf(deps, owner, { device, page: 'keys' })
  deps.mails.post(keyCreatedTemplate(writerOf(deps), { ...notice, hint }))
}

const noticeOf = (
  { baseUrl }: MailingDeps,
  { email, name }: Owner,
  { device, page }: { device: string; page: string },
): SecurityNotice => ({ to: email, name, device, href: `${baseUrl}/dashboard/${page}` })
