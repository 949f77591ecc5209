import type { Hono } from 'hono'
import type { Caller } from '../../access/caller.ts'
import { Refusal } from '../../errors/refusal.ts'
import { keyOf } from '../../links/domains/key-of.ts'
import { defaultKey, type LinkKey } from '../../links/link-key.ts'
import { withReportTurn } from '../../store/report-turns.ts'
import {
  matcherOf,
  readBytes,
  readIdempotent,
  readInput,
  readTogether,
  refuseBadEncoding,
  routeOf,
} from '../requests/read-request.ts'
import { type Query, readQuery, textParameter } from '../requests/query.ts'
import { jsonResponse, methodNotAllowedResponse, success } from '../responses/envelope.ts'
import { withCommonHeaders } from '../responses/streamed-file.ts'
import { admitKey, admitKeyTo, presentedKey } from './admit-key.ts'
import { admitBrowser, admitSession, browserOf, changeCookies, senderOf } from './admit-session.ts'
import type { AppContext, AppEnv } from './app-context.ts'
import { addPreflight } from './origins.ts'
import type { Endpoint, FromBrowser, PlainReply, Reply } from './endpoint.ts'
import { messageNamingIgnored } from './ignored-fields.ts'
import { refuseOverPublicLimit } from './public-limit.ts'
import type { ServerDeps } from './server-deps.ts'

const API = '/api'
/** Cookies are accepted only here, and keys only elsewhere. */
const DASHBOARD_API = '/dashboard/api'

/** Where the request came in. */
type Site = typeof API | typeof DASHBOARD_API

const sitesOf = ({ who }: Endpoint): Site[] => {
  if (who === 'both') return [API, DASHBOARD_API]
  return who === 'session' || who === 'anybody' ? [DASHBOARD_API] : [API]
}

/**
 * Adds the endpoints to the app. Every request is checked in one order. With a key: key (401), verified email and second factor (403),
 * limit (429), scope (403). With a session: limit of the network (429), site (403), session (401), workspace (404), verified email,
 * operator, second factor or role (403). Then all: route (404, 405), syntax (400, 413, 415), object (404), values (422).
 */
export function addEndpoints(app: Hono<AppEnv>, deps: ServerDeps, endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints)
    for (const site of sitesOf(endpoint))
      app.on(endpoint.method, routeOf(site + endpoint.path), (context) =>
        answer({ deps, endpoint, site, context }),
      )
  addPreflight(app, deps)
  for (const site of [API, DASHBOARD_API] as const)
    app.all(`${site}/*`, (context) => noSuchRoute(deps, { site, endpoints }, context))
}

/** One request on its way through the checks. */
type Dispatched = { deps: ServerDeps; endpoint: Endpoint; site: Site; context: AppContext }

async function answer(dispatched: Dispatched): Promise<Response> {
  const { deps, endpoint, context } = dispatched
  const requester = await admit(dispatched)
  const { caller } = requester
  const { target } = context.env
  refuseBadEncoding(target)
  const body = bodyOf(dispatched)
  const bytes = endpoint.takesBytes ? readBytes(context.env.body) : undefined
  const params = context.req.param() as Record<string, string>
  const query = readQuery(target)
  const key = await linkKeyOf(dispatched, caller, { params, query })
  if (caller !== undefined) await endpoint.find?.({ deps, caller, key, params })
  const idempotent = endpoint.isRepeatable
    ? readIdempotent(context.req, context.env.body, senderIn(dispatched, requester, query))
    : undefined
  const reading = { deps, caller, key }
  const values = await readTogether({
    input: () => endpoint.input?.read(body, reading),
    query: () => endpoint.query?.read(query, reading),
  })
  const { signal } = context.req.raw
  const request = { ...requester, ...values, bytes, params, key, signal, idempotent }
  const run = async () => (await endpoint.run(request, deps)) ?? {}
  const reply = await (caller === undefined ? run() : withReportTurn(caller.workspaceId, run))
  return respond(dispatched, { body, query }, reply)
}

/** Who the request is from, and all that its endpoint learns of them. */
type Requester = { caller?: Caller; apiKey?: { id: number } } & Partial<FromBrowser>

async function admit({ deps, endpoint, site, context }: Dispatched): Promise<Requester> {
  const { who, scope, role } = endpoint
  if (who === 'public') {
    context.header('Access-Control-Allow-Origin', '*')
    refuseOverPublicLimit(deps, context)
    return {}
  }
  if (site === API) return admitKeyTo(deps, context, scope)
  if (who === 'anybody') {
    admitBrowser(deps, context)
    return browserOf(deps, context)
  }
  const signedIn = await admitSession(deps, context, role ?? scope ?? 'member')
  return { ...signedIn, ...browserOf(deps, context) }
}

/** {} without one. A browser may leave it out where it is optional. */
function bodyOf({ endpoint, site, context }: Dispatched): Record<string, unknown> {
  const { body } = context.env
  const isThere = body === 'too-large' || (body !== undefined && body.byteLength > 0)
  const isRead = site === API ? endpoint.input !== undefined : isThere && !endpoint.takesBytes
  return isRead ? readInput(context.req.header('content-type'), body) : {}
}

/** The link that the path names. Without a code in the path, `domain` may be a filter with several values. */
async function linkKeyOf(
  { deps, context }: Dispatched,
  caller: Caller | undefined,
  { params, query }: { params: Record<string, string>; query: Query },
): Promise<LinkKey> {
  const { short_code: code } = params
  if (code === undefined) return defaultKey('')
  const domain = textParameter(query, 'domain')
  if (caller !== undefined) return keyOf(deps, caller, { code, domain })
  const { domains } = deps
  const host = context.req.header('host') ?? ''
  const domainId = domain === undefined ? domains.idOf(host) : domains.servedAt(domain)
  return { domainId, code: domains.codeOn(domainId, code) }
}

/** Whose Idempotency-Keys are known again. */
const senderIn = ({ deps, site, context }: Dispatched, { apiKey }: Requester, query: Query) =>
  site === API
    ? {
        name: `key ${apiKey!.id}`,
        secret: presentedKey(context.req.raw.headers, query) ?? '',
      }
    : senderOf(deps, context)

async function respond(
  { deps, endpoint, site, context }: Dispatched,
  sent: { body: Record<string, unknown>; query: Query },
  reply: Reply,
): Promise<Response> {
  if (reply instanceof Response) return withCommonHeaders(reply, context.res.headers)
  if ('body' in reply) return plainResponse(context, reply)
  const { status = endpoint.answer.status ?? 200, headers, count, data, meta } = reply
  await changeCookies(deps, context, reply)
  const said = reply.message ?? endpoint.answer.message ?? ''
  const message = site === API ? messageNamingIgnored(endpoint, deps, { message: said, ...sent }) : said
  return jsonResponse(context, {
    status,
    headers,
    body: JSON.stringify(success(message, { count, data, meta })),
  })
}

const plainResponse = (context: AppContext, { body, status = 200 }: PlainReply): Response =>
  jsonResponse(context, { status, body: JSON.stringify(body) })

/** Without a valid key, the response does not reveal which paths exist, except for public ones. */
async function noSuchRoute(
  deps: ServerDeps,
  { site, endpoints }: { site: Site; endpoints: readonly Endpoint[] },
  context: AppContext,
): Promise<Response> {
  const here = endpoints.filter(
    (endpoint) => sitesOf(endpoint).includes(site) && matcherOf(site + endpoint.path).test(context.req.path),
  )
  if (site === DASHBOARD_API) admitBrowser(deps, context)
  else if (!here.some(({ who }) => who === 'public')) await admitKey(deps, context)
  refuseBadEncoding(context.env.target)
  if (here.length === 0) throw new Refusal('endpoint_not_found', 'Endpoint not found.')
  const methods = [...new Set(here.map(({ method }) => method))]
  const isHeadAllowed = site === API && methods.includes('GET')
  return methodNotAllowedResponse(context, isHeadAllowed ? [...methods, 'HEAD'] : methods)
}
