import { codePath } from '../codes/unusual-code.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Visit } from './visit.ts'

const NAME = 'link-password'
const LIFETIME_SECONDS = 12 * 60 * 60
/**
 * Another subdomain may have set many of the same name, which must not hide the right one. More than the header of a request
 * has room for; checking so many takes three milliseconds.
 */
const SIGNATURES_MAX = 256
/** When it ends, in seconds since 1970, and the signature. */
const VALUE = /^([1-9]\d{0,11})\.([\w-]{43})$/

/** What a cookie is signed for and with: see passwordKeyOf. */
export type ProtectedLink = { linkId: number; passwordKey: string }

/** `isSecure`: the instance is reached over https. */
type CookiePlace = Pick<Visit, 'code' | 'prefix'> & { isSecure: boolean; nowUs: number }

/** For a visitor who has entered the password of the link. */
export function passwordCookie(
  link: ProtectedLink,
  { prefix = '', code, isSecure, nowUs }: CookiePlace,
): string {
  const endsAt = Math.floor(nowUs / 1_000_000) + LIFETIME_SECONDS
  const parts = [
    `${NAME}=${endsAt}.${signatureOf(link, endsAt).toString('base64url')}`,
    `Path=${prefix}/${codePath(code)}`,
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
  const signed = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
    .flatMap((part) => signedTime(part.slice(start.length), nowUs) ?? [])
  return signed
    .slice(0, SIGNATURES_MAX)
    .some(({ endsAt, signature }) => timingSafeEqual(signature, signatureOf(link, endsAt)))
}

/** Undefined unless passwordCookie could have made it. */
function signedTime(value: string, nowUs: number): { endsAt: number; signature: Buffer } | undefined {
  const [, time, signature] = VALUE.exec(value) ?? []
  if (time === undefined || signature === undefined) return undefined
  const endsAt = Number(time)
  const isCurrent = endsAt * 1_000_000 > nowUs && endsAt - LIFETIME_SECONDS <= nowUs / 1_000_000
  return isCurrent ? { endsAt, signature: Buffer.from(signature, 'base64url') } : undefined
}

const signatureOf = ({ linkId, passwordKey }: ProtectedLink, endsAt: number): Buffer =>
  createHmac('sha256', passwordKey).update(`${linkId} ${endsAt}`).digest()
