import { codePath } from '../codes/unusual-code.ts'
import { cookiesNamed, setCookie } from '../network/cookie.ts'
import { isCurrent, isPass, newPass } from '../signing/pass.ts'
import type { Signed } from '../signing/signature.ts'
import type { Visit } from './visit.ts'

const NAME = 'link-password'
const LIFETIME_SECONDS = 12 * 60 * 60
/**
 * Another subdomain may have set many of the same name, which must not hide the right one. More than the header of a request
 * has room for; checking all of them takes three milliseconds.
 */
const SIGNATURES_MAX = 256

/** What a cookie is signed for and with: see passwordKeyOf. */
export type ProtectedLink = { linkId: number; passwordKey: string }

/** `isSecure`: the instance is reached over https. */
type CookiePlace = Pick<Visit, 'code' | 'prefix'> & { isSecure: boolean; nowUs: number }

/** For a visitor who has entered the password of the link. */
export const passwordCookie = (
  link: ProtectedLink,
  { prefix = '', code, isSecure, nowUs }: CookiePlace,
): string =>
  setCookie({
    name: NAME,
    value: newPass(signedFor(link), { nowUs, lifetimeSeconds: LIFETIME_SECONDS }),
    path: `${prefix}/${codePath(code)}`,
    maxAgeSeconds: LIFETIME_SECONDS,
    isSecure,
  })

/** Whether the visitor has entered the link's current password within the last twelve hours. Costs an HMAC, no Argon2. */
export const hasPasswordCookie = (header: string | null, link: ProtectedLink, nowUs: number): boolean =>
  cookiesNamed(NAME, header ?? '')
    .filter((pass) => isCurrent(pass, { nowUs, lifetimeSeconds: LIFETIME_SECONDS }))
    .slice(0, SIGNATURES_MAX)
    .some((pass) => isPass(pass, signedFor(link)))

const signedFor = ({ linkId, passwordKey }: ProtectedLink): Signed => ({
  subject: String(linkId),
  key: passwordKey,
})
