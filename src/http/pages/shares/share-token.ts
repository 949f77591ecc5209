import { createHmac, timingSafeEqual } from 'node:crypto'
import { passwordKeyOf } from '../../../links/link-password.ts'

const LIFETIME_SECONDS = 60 * 60
/** When it ends, in seconds since 1970, and the signature. */
const TOKEN = /^([1-9]\d{0,11})\.([\w-]{43})$/

/** A page with a password. It stops to open with the URL and with the password that it was made for. */
type ProtectedShare = { secret: string; passwordHash: string }

/** For a visitor who has entered the password: what the page sends in a form, because it keeps nothing in the browser. */
export function shareToken(share: ProtectedShare, nowUs: number): string {
  const endsAt = Math.floor(nowUs / 1_000_000) + LIFETIME_SECONDS
  return `${endsAt}.${signatureOf(share, endsAt).toString('base64url')}`
}

export function isShareToken(token: string, share: ProtectedShare, nowUs: number): boolean {
  const [, time, signature] = TOKEN.exec(token) ?? []
  if (time === undefined || signature === undefined) return false
  const endsAt = Number(time)
  if (endsAt * 1_000_000 <= nowUs) return false
  return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(share, endsAt))
}

const signatureOf = ({ secret, passwordHash }: ProtectedShare, endsAt: number): Buffer =>
  createHmac('sha256', passwordKeyOf(passwordHash)).update(`share ${secret} ${endsAt}`).digest()
