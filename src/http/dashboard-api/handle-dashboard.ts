import type { Context, Hono } from 'hono'
import { callerWithRole, type SignedInCaller } from '../../access/caller.ts'
import type { Action } from '../../access/roles-and-scopes.ts'
import { endSessionOf, findSession, type Session } from '../../users/sign-in/session.ts'
import { deviceName } from '../../clicks/visitor/read-user-agent.ts'
import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { withReportTurn } from '../../store/report-turns.ts'
import type { Store } from '../../store/open-store.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { keyOf } from '../../links/domains/key-of.ts'
import { defaultKey, type LinkKey } from '../../links/link-key.ts'
import { noSuchWorkspace } from '../../workspaces/workspace.ts'
import { type AppEnv, namedLink } from '../api/handle-endpoint.ts'
import type { CallerEndpoint } from '../api/endpoint.ts'
import { jsonResponse, methodNotAllowedResponse, success } from '../responses/envelope.ts'
import { withCommonHeaders } from '../responses/streamed-file.ts'
import { matcherOf, refuseBadEncoding, routeOf } from '../requests/paths.ts'
import { refuseUnverified, refuseWithoutRole, secondFactorMissing } from '../api/permissions.ts'
import { readQuery, textParameter } from '../requests/query.ts'
import { hashSecret } from '../../users/tokens/secret-text.ts'
import { readIdempotent, readInput } from '../requests/read-input.ts'
import {
  type Access,
  DASHBOARD_API,
  type DashboardEndpoint,
  type DashboardRequest,
  type SignedInRequest,
} from './dashboard-endpoint.ts'
import type { UserLimits } from './user-limits.ts'
import { refuseOtherSites } from './same-origin.ts'
import { readCookie, secretCookie } from './session-cookie.ts'

export type DashboardDeps = {
  store: Pick<Store, 'db' | 'relaxedDb'>
  domains: Domains
  clock: Clock
  baseUrl: string
  limits: UserLimits
}

type AppContext = Context<AppEnv>

/**
 * Adds the dashboard's endpoints, and those it shares with the API, under /dashboard/api. Cookies are accepted only here, and keys
 * only elsewhere. The checks of every request run in one order: limit of the network (429), site (403), session (401), workspace
 * (404), verified email, operator, second factor or role (403), syntax (400, 413, 415), object (404), values (422).
 */
export function addDashboardApi(
  app: Hono<AppEnv>,
  deps: DashboardDeps,
  { own, shared }: { own: readonly DashboardEndpoint[]; shared: readonly CallerEndpoint[] },
): void {
  const isOwn = (one: CallerEndpoint) =>
    own.some(({ method, path }) => method === one.method.toUpperCase() && path === pathOf(one))
  for (const endpoint of own) {
    app.on(endpoint.method, routeOf(endpoint.path), (context) => answerOwn(deps, endpoint, context))
  }
  for (const endpoint of shared.filter((one) => !isOwn(one))) {
    app.on(endpoint.method.toUpperCase(), routeOf(pathOf(endpoint)), (context) =>
      answerShared(deps, endpoint, context),
    )
  }
  const routes = [
    ...own.map(({ method, path }) => ({ method, path })),
    ...shared.map((endpoint) => ({ method: endpoint.method.toUpperCase(), path: pathOf(endpoint) })),
  ]
  app.all(`${DASHBOARD_API}/*`, (context) => noSuchRoute(deps, routes, context))
}

/** `/api/links` is `/dashboard/api/links` here. */
const pathOf = ({ path }: CallerEndpoint): string => path.replace(/^\/api/, DASHBOARD_API)

async function answerOwn(
  deps: DashboardDeps,
  endpoint: DashboardEndpoint,
  context: AppContext,
): Promise<Response> {
  const signedIn = await admit(deps, endpoint.access, context)
  const read = requestOf(deps, context)
  const request = { ...read, ...signedIn, ...(await keyIn(deps, signedIn?.caller, read)) }
  const handle = () => endpoint.handle(request as SignedInRequest)
  const { workspaceId } = signedIn?.caller ?? {}
  const reply = await (workspaceId === undefined ? handle() : withReportTurn(workspaceId, handle))
  if (reply instanceof Response) return withCommonHeaders(reply, context.res.headers)
  const { message, data, meta, status = 200, sessionToken, flowToken } = reply
  if (sessionToken !== undefined) await changeSession(deps, context, sessionToken)
  if (flowToken !== undefined) setCookie(context, secretCookie('sign-in', flowToken, deps.baseUrl))
  const rest = { ...(data === undefined ? {} : { data }), ...(meta === undefined ? {} : { meta }) }
  return jsonResponse(context, { status, body: JSON.stringify(success(message, rest)) })
}

/** Ends the session that the browser had before (ASVS 7.2.4). */
async function changeSession(
  { store, baseUrl }: DashboardDeps,
  context: AppContext,
  token: string | null,
): Promise<void> {
  const before = readCookie('session', context.req.header('cookie'), baseUrl)
  if (before !== undefined) await endSessionOf(store.db, before)
  setCookie(context, secretCookie('session', token, baseUrl))
}

const setCookie = (context: AppContext, cookie: string) =>
  context.header('Set-Cookie', cookie, { append: true })

/** Shared endpoints check the role of the user instead of the scopes of a key. */
async function answerShared(
  deps: DashboardDeps,
  endpoint: CallerEndpoint,
  context: AppContext,
): Promise<Response> {
  const { caller } = (await admit(deps, endpoint.scope ?? 'member', context))!
  const request = requestOf(deps, context)
  const { query, input, params, signal } = request
  const { key } = await keyIn(deps, caller, request)
  await endpoint.find?.(caller, key)
  const idempotent = endpoint.takesIdempotencyKey
    ? readIdempotent(context.req, context.env.body, senderOf(deps, context))
    : undefined
  const answer = await withReportTurn(caller.workspaceId, () =>
    endpoint.handle({ key, params, query, input, idempotent, signal, caller }),
  )
  if (answer instanceof Response) return withCommonHeaders(answer, context.res.headers)
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  return jsonResponse(context, {
    status: answer.status ?? endpoint.answer.status,
    body: text,
    headers: answer.headers,
  })
}

/** The session, whose token the store does not know. */
function senderOf({ baseUrl }: DashboardDeps, { req }: AppContext) {
  const secret = readCookie('session', req.header('cookie'), baseUrl) ?? ''
  return { name: `session ${hashSecret(secret).slice(0, 16)}`, secret }
}

async function keyIn(
  { store, domains }: DashboardDeps,
  caller: SignedInCaller | undefined,
  request: DashboardRequest,
): Promise<{ key: LinkKey }> {
  const named = namedLink(request)
  if (caller === undefined || named === undefined) return { key: defaultKey(named?.code ?? '') }
  return { key: await keyOf({ db: store.db, domains }, caller, named) }
}

type SignedIn = { session: Session; caller: SignedInCaller }

async function admit(
  deps: DashboardDeps,
  access: Access,
  context: AppContext,
): Promise<SignedIn | undefined> {
  deps.limits.request(context.env.ip)
  refuseOtherSites({ method: context.req.method, header: (name) => context.req.header(name) }, deps.baseUrl)
  if (access === 'anybody') return undefined
  const token = readCookie('session', context.req.header('cookie'), deps.baseUrl)
  const workspaceId = wantedWorkspace(context)
  const session =
    token === undefined
      ? undefined
      : await findSession({ ...deps.store, clock: deps.clock }, { token, workspaceId })
  if (session === undefined) throw new Refusal('not_signed_in', 'You are not signed in.')
  if (access !== 'signed-in') refuseUnverified(session)
  const device = deviceName(context.req.header('user-agent') ?? '')
  const caller = callerWithRole({ ...session, role: session.memberRole, device })
  if (access === 'operator') refuseOthersThanOperators(session)
  else if (access !== 'signed-in' && access !== 'verified') refuseAsMember({ session, caller }, access)
  return { session, caller }
}

function refuseAsMember({ session, caller }: SignedIn, access: 'member' | Action): void {
  if (session.lacksSecondFactor) throw secondFactorMissing()
  if (access !== 'member') refuseWithoutRole(caller, access)
}

/** The workspace of this request, by its ID. Streams and downloads cannot send a header. */
function wantedWorkspace({ req, env }: AppContext): number | undefined {
  const text = req.header('x-workspace') ?? textParameter(readQuery(env.target), 'workspace')
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(text)) throw noSuchWorkspace()
  return Number(text)
}

function refuseOthersThanOperators({ role }: Session): void {
  if (role !== 'admin') throw new Refusal('operator_required', 'Only operators can do this.')
}

function requestOf({ baseUrl }: DashboardDeps, context: AppContext): DashboardRequest {
  const { target, body, ip } = context.env
  refuseBadEncoding(target)
  const hasBody = body === 'too-large' || (body !== undefined && body.byteLength > 0)
  return {
    params: context.req.param() as Record<string, string>,
    query: readQuery(target),
    input: hasBody ? readInput(context.req.header('content-type'), body) : {},
    ip,
    signal: context.req.raw.signal,
    device: deviceName(context.req.header('user-agent') ?? ''),
    flowToken: readCookie('sign-in', context.req.header('cookie'), baseUrl),
  }
}

async function noSuchRoute(
  deps: DashboardDeps,
  routes: readonly { method: string; path: string }[],
  context: AppContext,
): Promise<Response> {
  const allowed = routes.filter(({ path }) => matcherOf(path).test(context.req.path))
  await admit(deps, 'anybody', context)
  refuseBadEncoding(context.env.target)
  if (allowed.length === 0) throw new Refusal('endpoint_not_found', 'Endpoint not found.')
  return methodNotAllowedResponse(context, [...new Set(allowed.map(({ method }) => method))])
}
