import { SESSION_SECONDS } from '../../users/sign-in/session.ts'

/**
 * Over https the name has the prefix `__Host-`: browsers then accept the cookie only from this host, so that no other subdomain can
 * set it. Over plain http they would reject such a cookie.
 */
const sessionCookieName = (baseUrl: string): string => (isSecure(baseUrl) ? '__Host-session' : 'session')

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** Null removes the cookie. */
export function sessionCookie(baseUrl: string, token: string | null): string {
  const parts = [
    `${sessionCookieName(baseUrl)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : SESSION_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(baseUrl) ? ['Secure'] : []),
  ]
  return parts.join('; ')
}

/** Undefined if there is no session cookie, or more than one. */
export function readSessionCookie(header: string | undefined, baseUrl: string): string | undefined {
  const start = `${sessionCookieName(baseUrl)}=`
  const sent = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
  return sent.length === 1 ? sent[0]!.slice(start.length) || undefined : undefined
}
