import { cookiesNamed, setCookie } from '../../network/cookie.ts'
import { isSignature, type Signed, signatureOf } from '../../signing/signature.ts'

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
export function isUncounted(header: string, workspace: UncountedWorkspace): boolean {
  const start = `${workspace.workspaceId}.`
  return partsIn(header).some(
    (part) => part.startsWith(start) && isSignature(part.slice(start.length), signedFor(workspace)),
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
  const own = start + signatureOf(signedFor(workspace))
  const value = [own, ...new Set(others)].slice(0, WORKSPACES_MAX).join(SEPARATOR)
  return setCookie({ name: UNCOUNTED_COOKIE, value, maxAgeSeconds: LIFETIME_SECONDS, isSecure })
}

/** Counts the visits of a browser again. */
export const countedCookie = ({ isSecure }: { isSecure: boolean }): string =>
  setCookie({ name: UNCOUNTED_COOKIE, value: '', maxAgeSeconds: 0, isSecure })

/** Well-formed ones; whether their signatures are right is not known yet. */
const partsIn = (header: string): string[] =>
  cookiesNamed(UNCOUNTED_COOKIE, header)
    .slice(0, COOKIES_MAX)
    .flatMap((value) => value.split(SEPARATOR, WORKSPACES_MAX))
    .filter((part) => PART.test(part))

const signedFor = ({ workspaceId, key }: UncountedWorkspace): Signed => ({
  subject: `uncounted ${workspaceId}`,
  key,
})
