import { SESSION_SECONDS } from '../../users/sign-in/session.ts'
import { FLOW_SECONDS } from '../../users/tokens/single-use-token.ts'

/**
 * `session`: of a browser that is signed in. `sign-in`: of one that is at a provider of single sign-on, so that no other browser can
 * continue.
 */
export type CookieName = 'session' | 'sign-in'

const SECONDS: Record<CookieName, number> = { session: SESSION_SECONDS, 'sign-in': FLOW_SECONDS }

/**
 * Over https the name has the prefix `__Host-`: browsers then accept the cookie only from this host, so that no other subdomain can
 * set it. Over plain http they would reject such a cookie.
 */
const fullName = (name: CookieName, baseUrl: string): string => (isSecure(baseUrl) ? `__Host-${name}` : name)

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** A null token removes the cookie. */
export function secretCookie(name: CookieName, token: string | null, baseUrl: string): string {
  const parts = [
    `${fullName(name, baseUrl)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : SECONDS[name]}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(baseUrl) ? ['Secure'] : []),
  ]
  return parts.join('; ')
}

/** Undefined if there is no such cookie, or more than one. `header`: all cookies of the request. */
export function readCookie(
  name: CookieName,
  header: string | undefined,
  baseUrl: string,
): string | undefined {
  const start = `${fullName(name, baseUrl)}=`
  const sent = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
  return sent.length === 1 ? sent[0]!.slice(start.length) || undefined : undefined
}
