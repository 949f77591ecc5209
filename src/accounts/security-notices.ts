import {
  keyCreatedLetter,
  passkeyAddedLetter,
  type SecurityNotice,
  twoFactorOffLetter,
} from '../mail/security-letters.ts'
import { type MailingDeps, writerOf } from './mailed-link.ts'

/** Called before a change that its owner is mailed about; refuses when an account has had too many. */
export type NoticeCount = { countNotice(accountId: number): void }

type Owner = { email: string; name: string }

export function tellOfPasskey(deps: MailingDeps, owner: Owner, device: string): void {
  deps.mails.post(
    passkeyAddedLetter(writerOf(deps), noticeOf(deps, owner, { device, page: 'account/security' })),
  )
}

export function tellOfTwoFactorOff(deps: MailingDeps, owner: Owner, device: string): void {
  deps.mails.post(
    twoFactorOffLetter(writerOf(deps), noticeOf(deps, owner, { device, page: 'account/security' })),
  )
}

/** `hint` tells keys apart, without telling the key. */
export function tellOfKey(
  deps: MailingDeps,
  owner: Owner,
  { device, hint }: { device: string; hint: string },
): void {
  const notice = noticeOf(deps, owner, { device, page: 'keys' })
  deps.mails.post(keyCreatedLetter(writerOf(deps), { ...notice, hint }))
}

const noticeOf = (
  { baseUrl }: MailingDeps,
  { email, name }: Owner,
  { device, page }: { device: string; page: string },
): SecurityNotice => ({ to: email, name, device, href: `${baseUrl}/dashboard/${page}` })
