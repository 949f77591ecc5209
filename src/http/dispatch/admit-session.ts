import { callerWithRole, type SignedInCaller } from '../../access/caller.ts'
import { deviceName } from '../../clicks/visitor/read-user-agent.ts'
import { Refusal } from '../../errors/refusal.ts'
import { cookiesNamed, setCookie } from '../../network/cookie.ts'
import { endSessionOf, findSession, type Session, SESSION_SECONDS } from '../../users/sign-in/session.ts'
import { hashSecret } from '../../users/tokens/secret-text.ts'
import { noSuchWorkspace } from '../../workspaces/workspace.ts'
import { readQuery, textParameter } from '../requests/query.ts'
import type { AppContext } from './app-context.ts'
import type { Role } from './endpoint.ts'
import { refuseUnverified, refuseWithoutRole, secondFactorMissing } from './permissions.ts'
import { refuseOtherSites } from './origins.ts'
import type { ServerDeps } from './server-deps.ts'
import { FLOW_SECONDS } from '../../users/tokens/single-use-token.ts'

/**
 * `session`: of a browser that is signed in. `sign-in`: of one that is at a provider of single sign-on, so that no other browser can
 * continue.
 */
type CookieName = 'session' | 'sign-in'

const SECONDS: Record<CookieName, number> = { session: SESSION_SECONDS, 'sign-in': FLOW_SECONDS }

/**
 * Over https the name has the prefix `__Host-`: browsers then accept the cookie only from this host, so that no other subdomain can
 * set it. Over plain http they would reject such a cookie.
 */
const fullName = (name: CookieName, baseUrl: string): string => (isSecure(baseUrl) ? `__Host-${name}` : name)

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')

/** A null token removes the cookie. */
function secretCookie(name: CookieName, token: string | null, baseUrl: string): string {
  return setCookie({
    name: fullName(name, baseUrl),
    value: token ?? '',
    maxAgeSeconds: token === null ? 0 : SECONDS[name],
    isSecure: isSecure(baseUrl),
  })
}

/** Undefined if there is no such cookie, or more than one. `header`: all cookies of the request. */
function readCookie(name: CookieName, header: string | undefined, baseUrl: string): string | undefined {
  const tokens = cookiesNamed(fullName(name, baseUrl), header ?? '')
  return tokens.length === 1 ? tokens[0] || undefined : undefined
}

type SignedIn = { session: Session; caller: SignedInCaller }

/** The checks of every request of the dashboard: limit of the network, site. */
export function admitBrowser({ limits, baseUrl }: ServerDeps, { env, req }: AppContext): void {
  limits.request(env.ip)
  refuseOtherSites({ method: req.method, header: (name) => req.header(name) }, baseUrl)
}

/** And of those with a session: session, workspace, verified email, operator, second factor, role. */
export async function admitSession(deps: ServerDeps, context: AppContext, role: Role): Promise<SignedIn> {
  admitBrowser(deps, context)
  const token = readCookie('session', context.req.header('cookie'), deps.baseUrl)
  const workspaceId = workspaceOf(context)
  const session = token === undefined ? undefined : await findSession(deps, { token, workspaceId })
  if (session === undefined) throw new Refusal('not_signed_in', 'You are not signed in.')
  if (role !== 'signed-in') refuseUnverified(session)
  const device = deviceOf(context)
  const caller = callerWithRole({ ...session, role: session.memberRole, device })
  if (role === 'operator') refuseOthersThanOperators(session)
  else if (role !== 'signed-in' && role !== 'verified') {
    if (session.lacksSecondFactor) throw secondFactorMissing()
    if (role !== 'member') refuseWithoutRole(caller, role)
  }
  return { session, caller }
}

/** Whether a browser with these cookies is signed in. */
export async function hasSession(deps: ServerDeps, cookies: string): Promise<boolean> {
  const token = readCookie('session', cookies, deps.baseUrl)
  return token !== undefined && (await findSession(deps, { token })) !== undefined
}

/** The workspace of this request, by its ID. Streams and downloads cannot send a header. */
function workspaceOf({ req, env }: AppContext): number | undefined {
  const text = req.header('x-workspace') ?? textParameter(readQuery(env.target), 'workspace')
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(text)) throw noSuchWorkspace()
  return Number(text)
}

function refuseOthersThanOperators({ role }: Session): void {
  if (role !== 'admin') throw new Refusal('operator_required', 'Only operators can do this.')
}

/** What endpoints learn of a browser. */
export const browserOf = ({ baseUrl }: ServerDeps, context: AppContext) => ({
  ip: context.env.ip,
  device: deviceOf(context),
  flowToken: readCookie('sign-in', context.req.header('cookie'), baseUrl),
})

const deviceOf = ({ req }: AppContext): string => deviceName(req.header('user-agent') ?? '')

/** The session, whose token the store does not know. */
export function senderOf({ baseUrl }: ServerDeps, { req }: AppContext) {
  const secret = readCookie('session', req.header('cookie'), baseUrl) ?? ''
  return { name: `session ${hashSecret(secret).slice(0, 16)}`, secret }
}

type CookieChange = { sessionToken?: string | null | undefined; flowToken?: string | null | undefined }

/** A new session ends the one that the browser had before (ASVS 7.2.4). */
export async function changeCookies(
  { db, baseUrl }: ServerDeps,
  context: AppContext,
  { sessionToken, flowToken }: CookieChange,
): Promise<void> {
  const setCookie = (cookie: string) => context.header('Set-Cookie', cookie, { append: true })
  if (sessionToken !== undefined) {
    const before = readCookie('session', context.req.header('cookie'), baseUrl)
    if (before !== undefined) await endSessionOf(db, before)
    setCookie(secretCookie('session', sessionToken, baseUrl))
  }
  if (flowToken !== undefined) setCookie(secretCookie('sign-in', flowToken, baseUrl))
}
