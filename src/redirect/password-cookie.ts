import { createHmac, timingSafeEqual } from 'node:crypto'
import type { LinkKey } from '../links/link-key.ts'

const NAME = 'link-password'
const LIFETIME_SECONDS = 12 * 60 * 60
/** Another subdomain may have set some of the same name. */
const COOKIES_READ_MAX = 4
/** When it ends, in seconds since 1970, and the signature. */
const VALUE = /^([1-9]\d{0,11})\.([\w-]{43})$/

/** What a cookie is signed for and with: see passwordKeyOf. */
export type ProtectedLink = { linkId: number; passwordKey: string }

/** `isSecure`: the instance is reached over https. */
type CookiePlace = Pick<LinkKey, 'code'> & { isSecure: boolean; nowUs: number }

/** For a visitor who has entered the password of the link. */
export function passwordCookie(link: ProtectedLink, { code, isSecure, nowUs }: CookiePlace): string {
  const endsAt = Math.floor(nowUs / 1_000_000) + LIFETIME_SECONDS
  const parts = [
    `${NAME}=${endsAt}.${signatureOf(link, endsAt).toString('base64url')}`,
    `Path=/${code}`,
    `Max-Age=${LIFETIME_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ]
  return parts.join('; ')
}

/** Whether the visitor has entered the link's current password within the last twelve hours. Costs an HMAC, no Argon2. */
export function hasPasswordCookie(header: string | null, link: ProtectedLink, nowUs: number): boolean {
  if (header === null) return false
  const start = `${NAME}=`
  const sent = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
  return sent.slice(0, COOKIES_READ_MAX).some((part) => isValid(part.slice(start.length), link, nowUs))
}

function isValid(value: string, link: ProtectedLink, nowUs: number): boolean {
  const [, endsAt, signature] = VALUE.exec(value) ?? []
  if (endsAt === undefined || signature === undefined) return false
  if (Number(endsAt) * 1_000_000 <= nowUs) return false
  return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(link, Number(endsAt)))
}

const signatureOf = ({ linkId, passwordKey }: ProtectedLink, endsAt: number): Buffer =>
  createHmac('sha256', passwordKey).update(`${linkId} ${endsAt}`).digest()
