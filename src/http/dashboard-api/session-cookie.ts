import { SESSION_SECONDS } from '../../accounts/session.ts'

/**
 * Over https the name begins with `__Host-`: browsers then take the cookie only from this very host, over https, for
 * all of its paths, so that no neighbour under the same domain can set it. Over plain http, as on a trial, they would
 * take no such cookie.
 */
export const sessionCookieName = (baseUrl: string): string =>
  isSecure(baseUrl) ? '__Host-session' : 'session'

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** The Set-Cookie header for a session's token; null takes the cookie away. */
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

/** The token that the browser sent; undefined when there is none, or when two claim to be it. */
export function readSessionCookie(header: string | undefined, baseUrl: string): string | undefined {
  const start = `${sessionCookieName(baseUrl)}=`
  const sent = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
  return sent.length === 1 ? sent[0]!.slice(start.length) || undefined : undefined
}
