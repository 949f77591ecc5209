import { createHmac, timingSafeEqual } from 'node:crypto'

/** Browsers keep no cookie for longer than 400 days. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60
const UNCOUNTED_COOKIE = 'tern_uncounted'
/** A browser of somebody who works in many workspaces; the latest stay. */
const WORKSPACES_MAX = 10
/** Another subdomain may have set many of the same name, which must not hide the right one. */
const COOKIES_MAX = 16
/** For each workspace its ID and a signature. */
const PART = /^([1-9]\d{0,15})\.([\w-]{43})$/
const SEPARATOR = '~'

type UncountedWorkspace = { workspaceId: number; key: string }

/** Whether the browser has been excluded from the counts of the workspace. Costs an HMAC if it has such a cookie. */
export function isUncounted(header: string, { workspaceId, key }: UncountedWorkspace): boolean {
  const start = `${workspaceId}.`
  const signature = signatureOf({ workspaceId, key })
  return partsIn(header).some(
    (part) =>
      part.startsWith(start) &&
      timingSafeEqual(Buffer.from(part.slice(start.length), 'base64url'), signature),
  )
}

/** The cookie of a browser that is excluded from one more workspace. `header`: its cookies so far. */
export function uncountedCookie(
  header: string,
  workspace: UncountedWorkspace,
  { isSecure }: { isSecure: boolean },
): string {
  const start = `${workspace.workspaceId}.`
  const others = partsIn(header).filter((part) => !part.startsWith(start))
  const own = start + signatureOf(workspace).toString('base64url')
  const parts = [own, ...new Set(others)].slice(0, WORKSPACES_MAX)
  return cookieOf(parts.join(SEPARATOR), { isSecure, maxAgeSeconds: LIFETIME_SECONDS })
}

/** Counts the visits of a browser again. */
export const countedCookie = ({ isSecure }: { isSecure: boolean }): string =>
  cookieOf('', { isSecure, maxAgeSeconds: 0 })

const cookieOf = (value: string, { isSecure, maxAgeSeconds }: { isSecure: boolean; maxAgeSeconds: number }) =>
  [
    `${UNCOUNTED_COOKIE}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')

/** Well-formed ones; whether their signatures are right is not known yet. */
function partsIn(header: string): string[] {
  const start = `${UNCOUNTED_COOKIE}=`
  return header
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
    .slice(0, COOKIES_MAX)
    .flatMap((cookie) => cookie.slice(start.length).split(SEPARATOR, WORKSPACES_MAX))
    .filter((part) => PART.test(part))
}

const signatureOf = ({ workspaceId, key }: UncountedWorkspace): Buffer =>
  createHmac('sha256', key).update(`uncounted ${workspaceId}`).digest()
