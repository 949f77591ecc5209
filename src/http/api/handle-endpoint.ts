import type { Context, Hono } from 'hono'
import type { Clock } from '../../runtime/clock.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { Refusal } from '../../errors/refusal.ts'
import { withReportTurn } from '../../store/report-turns.ts'
import type { Store } from '../../store/open-store.ts'
import type { LimitResult } from '../../limits/window-limit.ts'
import { callerWithKey } from '../../access/caller.ts'
import { authenticate, presentedKey } from './authenticate.ts'
import { addPreflight, openToOrigin, refuseOtherOrigins } from './cross-origin.ts'
import type { Answer, Endpoint, EndpointRequest, KeyedEndpoint, PublicEndpoint } from './endpoint.ts'
import { jsonResponse, methodNotAllowedResponse } from '../responses/envelope.ts'
import { withCommonHeaders } from '../responses/streamed-file.ts'
import { namingIgnored } from './ignored-fields.ts'
import { limitRate, refuseOverLimit } from './limit-rate.ts'
import { matcherOf, refuseBadEncoding, routeOf } from '../requests/paths.ts'
import {
  refuseSuspended,
  refuseUnverified,
  refuseWithoutScope,
  refuseWithoutSecondFactor,
} from './permissions.ts'
import { readQuery, textParameter } from '../requests/query.ts'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import { keyOf } from '../../links/domains/key-of.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { type Incoming, readIdempotent, readInput } from '../requests/read-input.ts'

/** What the redirect thread passes on with the request; see ApiRequest. */
export type AppEnv = {
  Bindings: { ip: string; peer: string; target: string; body: Incoming }
  Variables: { requestId: string }
}

export type AnswerDeps = {
  store: Pick<Store, 'db' | 'relaxedDb'>
  domains: Domains
  clock: Clock
  /** For endpoints without a key. */
  publicLimit: { count(ip: string): LimitResult }
  metrics: Pick<Metrics, 'rateLimitRefusals'>
}

type AppContext = Context<AppEnv>

/**
 * Adds the endpoints to the app. Every request is checked in one order: key (401), verified email
 * and second factor (403), limit (429), scope (403), route (404, 405), syntax (400, 413, 415), object (404), values (422).
 */
export function addEndpoints(app: Hono<AppEnv>, deps: AnswerDeps, endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) {
    app.on(endpoint.method.toUpperCase(), routeOf(endpoint.path), async (context) => {
      const answered = await answer(deps, endpoint, context)
      if (answered instanceof Response) return withCommonHeaders(answered, context.res.headers)
      const { status, body, headers } = answered
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return jsonResponse(context, { status: status ?? endpoint.answer.status, body: text, headers })
    })
  }
  addPreflight(app, deps)
  app.all('/api/*', (context) => noSuchRoute(deps, endpoints, context))
}

function answer(deps: AnswerDeps, endpoint: Endpoint, context: AppContext): Promise<Answer | Response> {
  const request: EndpointRequest = {
    key: { domainId: DEFAULT_DOMAIN, code: '' },
    params: context.req.param() as Record<string, string>,
    query: readQuery(context.env.target),
    input: {},
    idempotent: undefined,
    signal: context.req.raw.signal,
  }
  const parts = { context, request }
  return endpoint.access === 'public'
    ? answerPublic(deps, endpoint, parts)
    : answerKeyed(deps, endpoint, parts)
}

type Parts = { context: AppContext; request: EndpointRequest }

async function answerPublic(
  deps: AnswerDeps,
  endpoint: PublicEndpoint,
  { context, request }: Parts,
): Promise<Answer> {
  context.header('Access-Control-Allow-Origin', '*')
  refuseOverPublicLimit(deps, context)
  refuseBadEncoding(context.env.target)
  const { code = '', domain } = namedLink(request) ?? {}
  const host = context.req.header('host') ?? ''
  const domainId = domain === undefined ? deps.domains.idOf(host) : deps.domains.servedAt(domain)
  request.key = { domainId, code }
  return endpoint.handle(request)
}

/** What a path and its query say of a link. Without a code in the path, `domain` may be a filter with several values. */
export const namedLink = ({ params, query }: Pick<EndpointRequest, 'params' | 'query'>) =>
  params.short_code === undefined
    ? undefined
    : { code: params.short_code, domain: textParameter(query, 'domain') }

async function answerKeyed(
  deps: AnswerDeps,
  endpoint: KeyedEndpoint,
  { context, request }: Parts,
): Promise<Answer | Response> {
  const { key, usage } = await admit(deps, context)
  const { target, body } = context.env
  const caller = callerWithKey(key)
  refuseWithoutScope(key, caller, endpoint.scope)
  refuseBadEncoding(target)
  if (endpoint.body !== undefined) request.input = readInput(context.req.header('content-type'), body)
  const named = namedLink(request)
  if (named) request.key = await keyOf({ db: deps.store.db, domains: deps.domains }, caller, named)
  await endpoint.find?.(caller, request.key)
  if (endpoint.takesIdempotencyKey) {
    const secret = presentedKey(context.req.raw.headers, request.query) ?? ''
    request.idempotent = readIdempotent(context.req, body, { name: `key ${key.id}`, secret })
  }
  const answered = await withReportTurn(caller.workspaceId, () =>
    endpoint.handle({ ...request, caller, usage }),
  )
  return answered instanceof Response ? answered : namingIgnored(endpoint, request.input, answered)
}

/** The checks of every request with a key, whatever its endpoint. */
async function admit({ store, clock, metrics }: AnswerDeps, context: AppContext) {
  const key = await authenticate(
    { db: store.db, clock },
    context.req.raw.headers,
    readQuery(context.env.target),
  )
  openToOrigin(key, context)
  const { usage, headers } = await limitRate({ relaxedDb: store.relaxedDb, clock }, key)
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  refuseSuspended(key)
  refuseOtherOrigins(key, context)
  refuseUnverified(key)
  refuseWithoutSecondFactor(key)
  if (!usage.isAllowed) metrics.rateLimitRefusals.key.add()
  refuseOverLimit(usage, clock.nowUs())
  return { key, usage }
}

export function refuseOverPublicLimit(
  { publicLimit, metrics }: Pick<AnswerDeps, 'publicLimit' | 'metrics'>,
  context: AppContext,
): void {
  const { isAllowed, retryAfterSeconds } = publicLimit.count(context.env.ip)
  if (isAllowed) return
  metrics.rateLimitRefusals.address.add()
  throw new Refusal('too_many_requests', 'Too many requests from your network.', { retryAfterSeconds })
}

/** Without a valid key, the response does not reveal which paths exist, except for public ones. */
async function noSuchRoute(
  deps: AnswerDeps,
  endpoints: readonly Endpoint[],
  context: AppContext,
): Promise<Response> {
  const here = endpoints.filter((endpoint) => matcherOf(endpoint.path).test(context.req.path))
  if (!here.some((endpoint) => endpoint.access === 'public')) await admit(deps, context)
  refuseBadEncoding(context.env.target)
  if (here.length === 0) throw new Refusal('endpoint_not_found', 'Endpoint not found.')
  const allowed = here.map(({ method }) => method.toUpperCase())
  return methodNotAllowedResponse(context, allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed)
}
