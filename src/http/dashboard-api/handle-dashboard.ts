import type { Context, Hono } from 'hono'
import { callerWithRole, type SignedInCaller } from '../../access/caller.ts'
import { endSessionOf, findSession, type Session } from '../../users/sign-in/session.ts'
import { deviceName } from '../../clicks/visitor/read-user-agent.ts'
import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Store } from '../../store/open-store.ts'
import type { AppEnv } from '../api/handle-endpoint.ts'
import type { CallerEndpoint } from '../api/endpoint.ts'
import { jsonResponse, methodNotAllowedResponse, success } from '../responses/envelope.ts'
import { matcherOf, refuseBadEncoding, routeOf } from '../requests/paths.ts'
import { refuseUnverified, refuseWithoutRole } from '../api/permissions.ts'
import { readQuery } from '../requests/query.ts'
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
import { readSessionCookie, sessionCookie } from './session-cookie.ts'

export type DashboardDeps = {
  store: Pick<Store, 'db' | 'relaxedDb'>
  clock: Clock
  baseUrl: string
  limits: UserLimits
}

type AppContext = Context<AppEnv>

/**
 * Adds the dashboard's endpoints, and those it shares with the API, under /dashboard/api. Cookies are accepted only here, and keys
 * only elsewhere. The checks of every request run in one order: limit of the network (429), site (403), session (401), verified
 * email, operator or role (403), syntax (400, 413, 415), object (404), values (422).
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
  const request = { ...requestOf(context), ...signedIn }
  const reply = await endpoint.handle(request as SignedInRequest)
  if (reply instanceof Response) return streamAnswer(context, reply)
  const { message, data, meta, status = 200, sessionToken } = reply
  if (sessionToken !== undefined) await changeSession(deps, context, sessionToken)
  const rest = { ...(data === undefined ? {} : { data }), ...(meta === undefined ? {} : { meta }) }
  return jsonResponse(context, { status, body: JSON.stringify(success(message, rest)) })
}

/** Ends the session that the browser had before (ASVS 7.2.4). */
async function changeSession(
  { store, baseUrl }: DashboardDeps,
  context: AppContext,
  token: string | null,
): Promise<void> {
  const before = readSessionCookie(context.req.header('cookie'), baseUrl)
  if (before !== undefined) await endSessionOf(store.db, before)
  context.header('Set-Cookie', sessionCookie(baseUrl, token))
}

/** Shared endpoints check the role of the user instead of the scopes of a key. */
async function answerShared(
  deps: DashboardDeps,
  endpoint: CallerEndpoint,
  context: AppContext,
): Promise<Response> {
  const { caller } = (await admit(deps, endpoint.scope ?? 'verified', context))!
  const { query, input, params } = requestOf(context)
  const code = params.short_code ?? ''
  await endpoint.find?.(caller, code)
  const idempotent = endpoint.takesIdempotencyKey ? readIdempotent(context.req, context.env.body) : undefined
  const answer = await endpoint.handle({ code, params, query, input, idempotent, caller })
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  return jsonResponse(context, {
    status: answer.status ?? endpoint.answer.status,
    body: text,
    headers: answer.headers,
  })
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
  const token = readSessionCookie(context.req.header('cookie'), deps.baseUrl)
  const session =
    token === undefined ? undefined : await findSession({ ...deps.store, clock: deps.clock }, token)
  if (session === undefined) throw new Refusal('unauthenticated', 'You are not signed in.')
  if (access !== 'signed-in') refuseUnverified(session)
  const caller = callerWithRole({ ...session, role: session.memberRole })
  if (access === 'operator') refuseOthersThanOperators(session)
  else if (access !== 'signed-in' && access !== 'verified') refuseWithoutRole(caller, access)
  return { session, caller }
}

function refuseOthersThanOperators({ role }: Session): void {
  if (role !== 'admin') throw new Refusal('forbidden', 'Only operators can do this.')
}

function requestOf(context: AppContext): DashboardRequest {
  const { target, body, ip } = context.env
  refuseBadEncoding(target)
  const hasBody = body === 'too-large' || (body !== undefined && body.byteLength > 0)
  return {
    params: context.req.param() as Record<string, string>,
    query: readQuery(target),
    input: hasBody ? readInput(context.req.header('content-type'), body) : {},
    ip,
    device: deviceName(context.req.header('user-agent') ?? ''),
  }
}

/** Adds the headers that every response has. */
function streamAnswer(context: AppContext, streamed: Response): Response {
  for (const [name, value] of context.res.headers) streamed.headers.append(name, value)
  return streamed
}

async function noSuchRoute(
  deps: DashboardDeps,
  routes: readonly { method: string; path: string }[],
  context: AppContext,
): Promise<Response> {
  const allowed = routes.filter(({ path }) => matcherOf(path).test(context.req.path))
  await admit(deps, 'anybody', context)
  refuseBadEncoding(context.env.target)
  if (allowed.length === 0) throw new Refusal('not-found', 'Endpoint not found.')
  return methodNotAllowedResponse(context, [...new Set(allowed.map(({ method }) => method))])
}
