import { type Caller, callerWithKey } from '../../access/caller.ts'
import type { Scope } from '../../access/roles-and-scopes.ts'
import type { PresentedKey } from '../../api-keys/find-key.ts'
import type { HourlyUsage, RequestCounter } from '../../api-keys/hourly-limit.ts'
import { type Query, readQuery } from '../requests/query.ts'
import type { AppContext } from './app-context.ts'
import { openToOrigin, refuseOtherOrigins } from './origins.ts'
import {
  refuseSuspended,
  refuseUnverified,
  refuseWithoutScope,
  refuseWithoutSecondFactor,
} from './permissions.ts'
import type { ServerDeps } from './server-deps.ts'
import type { KeyCache } from '../../api-keys/key-cache.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'

const WINDOW_SECONDS = 3600
const SECOND_US = 1_000_000

/** On every response to a counted request, except for those that say nothing about it: 500 and 503. */
export const USAGE_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const

type AdmittedKey = { apiKey: PresentedKey; caller: Caller; usage: HourlyUsage }

/** The checks of every request with a key, whatever its endpoint: key, verified email and second factor, limit. */
export async function admitKey(
  { keys, requestCounters, clock, metrics }: ServerDeps,
  context: AppContext,
): Promise<AdmittedKey> {
  const apiKey = await authenticate(keys, context.req.raw.headers, readQuery(context.env.target))
  openToOrigin(apiKey, context)
  const isRead = context.req.method === 'GET'
  const { usage, headers, stored } = await limitRate(
    { requests: isRead ? requestCounters.reads : requestCounters.changes, clock },
    apiKey,
  )
  // A request that may change something goes on while its count is stored.
  if (isRead) await stored
  else context.set('counted', stored)
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  refuseSuspended(apiKey)
  refuseOtherOrigins(apiKey, context)
  refuseUnverified(apiKey)
  refuseWithoutSecondFactor(apiKey)
  if (!usage.isAllowed) metrics.rateLimitRefusals.key.add()
  refuseOverLimit(usage, clock.nowUs())
  return { apiKey, caller: callerWithKey(apiKey), usage }
}

/** And what its endpoint needs. */
export async function admitKeyTo(
  deps: ServerDeps,
  context: AppContext,
  scope: Scope | undefined,
): Promise<AdmittedKey> {
  const admitted = await admitKey(deps, context)
  refuseWithoutScope(admitted.apiKey, admitted.caller, scope)
  return admitted
}

/**
 * The request's key: `X-API-Key`, `Authorization: Bearer`, or `api_key` in the query. The first one present counts: a request
 * with an invalid header is refused even if its query has a valid key.
 */
async function authenticate(keys: KeyCache, headers: Headers, query: Query): Promise<PresentedKey> {
  const presented = presentedKey(headers, query)
  if (presented === undefined) {
    throw new Refusal('api_key_missing', 'An API key is required. Send it in the X-API-Key header.')
  }
  const key = await keys.find(presented)
  if (key === undefined) throw new Refusal('api_key_invalid', 'The API key is not valid.')
  return key
}

/** In the query. */
export const KEY_PARAMETER = 'api_key'

/** As it was sent. */
export const presentedKey = (headers: Headers, query: Query): string | undefined =>
  headers.get('x-api-key') ?? bearerToken(headers.get('authorization')) ?? query[KEY_PARAMETER]?.[0]

/** '' if the header holds something else, which is then refused like any invalid key. */
function bearerToken(header: string | null): string | undefined {
  if (header === null) return undefined
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}

type LimitedRequest = Awaited<ReturnType<RequestCounter['count']>> & {
  headers: Record<(typeof USAGE_HEADERS)[number], string>
}

/** Counts the request. The headers show the key's limit in both conventions, `X-RateLimit-*` and `RateLimit`. */
async function limitRate(
  { requests, clock }: { requests: RequestCounter; clock: Clock },
  key: PresentedKey,
): Promise<LimitedRequest> {
  const { usage, stored } = await requests.count(key)
  const seconds = secondsUntil(usage.resetAtUs, clock.nowUs())
  const remaining = Math.max(0, usage.limit - usage.used)
  return {
    usage,
    stored,
    headers: {
      'X-RateLimit-Limit': String(usage.limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(usage.resetAtUs / SECOND_US),
      'RateLimit-Policy': `"hour";q=${usage.limit};w=${WINDOW_SECONDS}`,
      RateLimit: `"hour";r=${remaining};t=${seconds}`,
    },
  }
}

function refuseOverLimit({ isAllowed, resetAtUs, limit }: HourlyUsage, nowUs: number): void {
  if (isAllowed) return
  throw new Refusal('rate_limited', `You have used all ${limit} requests of this hour.`, {
    retryAfterSeconds: secondsUntil(resetAtUs, nowUs),
  })
}

const secondsUntil = (us: number, nowUs: number) => Math.max(0, Math.ceil((us - nowUs) / SECOND_US))
