import type { Context, Hono } from 'hono'
import { endSessionOf, findSession, type Session } from '../../accounts/session.ts'
import { deviceName } from '../../clicks/read-visitor.ts'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Store } from '../../store/open-store.ts'
import type { AppEnv } from '../answer-endpoint.ts'
import type { CallerEndpoint } from '../endpoint.ts'
import { jsonAnswer, methodAnswer, success } from '../envelope.ts'
import { matcherOf, refuseBadEncoding, routeOf } from '../paths.ts'
import { refuseUnverified } from '../permissions.ts'
import { readQuery } from '../query.ts'
import { readIdempotent, readInput } from '../read-input.ts'
import {
  type Access,
  DASHBOARD_API,
  type DashboardEndpoint,
  type DashboardRequest,
  type SignedInRequest,
} from './dashboard-endpoint.ts'
import type { PersonLimits } from './person-limits.ts'
import { refuseOtherSites } from './same-origin.ts'
import { readSessionCookie, sessionCookie } from './session-cookie.ts'

export type DashboardDeps = {
  store: Pick<Store, 'db' | 'quickDb'>
  clock: Clock
  baseUrl: string
  limits: PersonLimits
}

type AppContext = Context<AppEnv>

/**
 * Puts the dashboard's endpoints, and those of the API's that people use too, under /dashboard/api. Cookies are taken
 * here and nowhere else, keys everywhere else. Every request's checks come in one order: limit of the network (429), site
 * (403), session (401), verified e-mail or operator (403), syntax (400, 413, 415), object (404), values (422).
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

/** `/api/links` is `/dashboard/api/links` for people. */
const pathOf = ({ path }: CallerEndpoint): string => path.replace(/^\/api/, DASHBOARD_API)

async function answerOwn(
  deps: DashboardDeps,
  endpoint: DashboardEndpoint,
  context: AppContext,
): Promise<Response> {
  const session = await admit(deps, endpoint.access, context)
  const request = { ...requestOf(context), session, caller: session && { accountId: session.accountId } }
  const reply = await endpoint.handle(request as SignedInRequest)
  if (reply instanceof Response) return streamAnswer(context, reply)
  const { message, data, meta, status = 200, sessionToken } = reply
  if (sessionToken !== undefined) await changeSession(deps, context, sessionToken)
  const rest = { ...(data === undefined ? {} : { data }), ...(meta === undefined ? {} : { meta }) }
  return jsonAnswer(context, status, JSON.stringify(success(message, rest)))
}

/** The browser forgets the session that it came with, so that one ends (ASVS 7.2.4). */
async function changeSession(
  { store, baseUrl }: DashboardDeps,
  context: AppContext,
  token: string | null,
): Promise<void> {
  const before = readSessionCookie(context.req.header('cookie'), baseUrl)
  if (before !== undefined) await endSessionOf(store.db, before)
  context.header('Set-Cookie', sessionCookie(baseUrl, token))
}

/** What programs may do with a key, people may do with all rights of their account. */
async function answerShared(
  deps: DashboardDeps,
  endpoint: CallerEndpoint,
  context: AppContext,
): Promise<Response> {
  const { accountId } = (await admit(deps, 'verified', context))!
  const caller = { accountId }
  const { query, input } = requestOf(context)
  const code = context.req.param('short_code') ?? ''
  await endpoint.find?.(caller, code)
  const idempotent = endpoint.takesIdempotencyKey ? readIdempotent(context.req, context.env.body) : undefined
  const answer = await endpoint.handle({ code, query, input, idempotent, caller })
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  return jsonAnswer(context, answer.status ?? endpoint.answer.status, text, answer.headers)
}

async function admit(deps: DashboardDeps, access: Access, context: AppContext): Promise<Session | undefined> {
  deps.limits.request(context.env.ip)
  refuseOtherSites({ method: context.req.method, header: (name) => context.req.header(name) }, deps.baseUrl)
  if (access === 'anybody') return undefined
  const token = readSessionCookie(context.req.header('cookie'), deps.baseUrl)
  const session =
    token === undefined ? undefined : await findSession({ ...deps.store, clock: deps.clock }, token)
  if (session === undefined) throw new Refusal('unauthenticated', 'You are not signed in.')
  if (access !== 'signed-in') refuseUnverified(session)
  if (access === 'operator' && session.role !== 'admin') {
    throw new Refusal('forbidden', 'Only operators can do this.')
  }
  return session
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

/** With the headers that every answer here has. */
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
  return methodAnswer(context, [...new Set(allowed.map(({ method }) => method))])
}
