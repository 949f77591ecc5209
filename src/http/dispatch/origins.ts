import { Refusal } from '../../errors/refusal.ts'
import { parseUrl } from '../../links/destinations/parse-url.ts'
import type { Hono } from 'hono'
import { isOriginOfAnyKey, type PresentedKey } from '../../api-keys/find-key.ts'
import type { AppContext, AppEnv } from './app-context.ts'
import { refuseOverPublicLimit } from './public-limit.ts'
import type { ServerDeps } from './server-deps.ts'

type Headers = { header(name: string): string | undefined }

/**
 * A request with a cookie must come from our own pages. Browsers say so in `Sec-Fetch-Site`, which pages cannot set. Old browsers and
 * plain http do not send it: then a change needs our Origin.
 */
export function refuseOtherSites(request: Headers & { method: string }, baseUrl: string): void {
  if (!isFromUs(request, baseUrl))
    throw new Refusal('cross_site_request', 'This request did not come from a page of this server.')
}

/** A short URL and its pages are also served under other hosts than that of BASE_URL. */
export function isFromOwnPage(request: Headers & { method: string; host: string }, baseUrl: string): boolean {
  const origin = request.header('origin') ?? ''
  const isSameHost = parseUrl(origin)?.host === request.host
  return isFromUs(request, isSameHost ? origin : baseUrl)
}

function isFromUs(request: Headers & { method: string }, baseUrl: string): boolean {
  const site = request.header('sec-fetch-site')
  return site === undefined
    ? request.method === 'GET' || request.header('origin') === new URL(baseUrl).origin
    : site === 'same-origin' || site === 'none'
}

const PREFLIGHT_SECONDS = '600'
const EXPOSED = 'Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'

/** Lets the scripts of a page read the response, refusals too, if the key may be used there. */
export function openToOrigin({ restrictions }: PresentedKey, context: AppContext): void {
  const origin = context.req.header('origin')
  if (origin !== undefined && restrictions?.origins?.includes(origin)) openTo(origin, context)
}

/** Programs send no origin. */
export function refuseOtherOrigins({ restrictions }: PresentedKey, context: AppContext): void {
  const origin = context.req.header('origin')
  if (origin !== undefined && restrictions?.origins?.includes(origin) === false)
    throw new Refusal('origin_not_allowed', 'This API key may not be used from pages of this origin.')
}

/** What browsers ask before a request with a key. The key itself does not come with it. */
export function addPreflight(app: Hono<AppEnv>, deps: ServerDeps) {
  app.options('/api/*', async (context, next) => {
    const origin = context.req.header('origin')
    if (origin === undefined || context.req.header('access-control-request-method') === undefined)
      return next()
    refuseOverPublicLimit(deps, context)
    if (!(await isOriginOfAnyKey(deps.db, origin))) return next()
    openTo(origin, context)
    context.header('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
    context.header('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, X-API-Key')
    context.header('Access-Control-Max-Age', PREFLIGHT_SECONDS)
    return context.body(null, 204)
  })
}

function openTo(origin: string, context: AppContext): void {
  context.header('Access-Control-Allow-Origin', origin)
  context.header('Access-Control-Expose-Headers', EXPOSED)
  context.header('Vary', 'Origin')
}
