import { passwordKeyOf } from '../../../links/link-password.ts'
import { isCurrent, isPass, newPass } from '../../../signing/pass.ts'
import type { Signed } from '../../../signing/signature.ts'

const LIFETIME_SECONDS = 60 * 60

/** A page with a password. It stops to open with the URL and with the password that it was made for. */
type ProtectedShare = { secret: string; passwordHash: string }

/** For a visitor who has entered the password: what the page sends in a form, because it keeps nothing in the browser. */
export const shareToken = (share: ProtectedShare, nowUs: number): string =>
  newPass(signedFor(share), { nowUs, lifetimeSeconds: LIFETIME_SECONDS })

export const isShareToken = (token: string, share: ProtectedShare, nowUs: number): boolean =>
  isCurrent(token, { nowUs, lifetimeSeconds: LIFETIME_SECONDS }) && isPass(token, signedFor(share))

const signedFor = ({ secret, passwordHash }: ProtectedShare): Signed => ({
  subject: `share ${secret}`,
  key: passwordKeyOf(passwordHash),
})
