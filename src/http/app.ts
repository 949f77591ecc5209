import { Hono } from 'hono'
import type { Config } from '../config.ts'
import type { Clock } from '../clock.ts'
import { destinationRulesOf } from '../links/destination-rules.ts'
import type { LinkChanges } from '../links/link.ts'
import { describeError, type Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { MinuteLimit } from '../redirect/minute-limit.ts'
import { isStoreUnavailable } from '../store/engine-sql.ts'
import type { Store } from '../store/open-store.ts'
import { addEndpoints, type AppEnv } from './answer-endpoint.ts'
import { accountEndpoints } from './api/account-endpoints.ts'
import { analyticsEndpoints } from './api/analytics-endpoints.ts'
import { createLinkEndpoints } from './api/create-link-endpoints.ts'
import { linkAnalyticsEndpoint } from './api/link-analytics-endpoint.ts'
import { linkEndpoints } from './api/link-endpoints.ts'
import { publicEndpoints } from './api/public-endpoints.ts'
import { API_VERSION } from './api-version.ts'
import type { BuiltDashboard } from './dashboard/built-dashboard.ts'
import { addDashboard } from './dashboard/dashboard-site.ts'
import type { Endpoint } from './endpoint.ts'
import { faultAnswer, refusalAnswer } from './envelope.ts'
import { openApiDocument } from './openapi.ts'
import { securityHeaders } from './security-headers.ts'
import { addSite } from './site.ts'

export type AppDeps = {
  config: Config
  store: Store
  clock: Clock
  log: Log
  changes: LinkChanges
  journalState(): 'ok' | 'degraded'
  dashboard: BuiltDashboard
}

/** Requests without a key, a minute and address: a page polls its health, a guesser of codes is slowed down. */
const PUBLIC_REQUESTS_PER_MINUTE = 1_000
const STORE_RETRY_SECONDS = 5

/** Everything that is not a redirect: the API, QR codes and pages. */
export function openApp(deps: AppDeps): Hono<AppEnv> {
  const { config, store, clock } = deps
  const { baseUrl } = config
  const publicLimit = new MinuteLimit(clock, PUBLIC_REQUESTS_PER_MINUTE)
  const endpoints = endpointsOf(deps)
  const app = new Hono<AppEnv>()
  watchRequests(app, deps)
  const openApi = openApiDocument(endpoints, { baseUrl, version: API_VERSION })
  addDashboard(app, deps.dashboard)
  addSite(app, { db: store.reportDb, clock, config, openApi, publicLimit })
  addEndpoints(app, { store, clock, publicLimit }, endpoints)
  return app
}

/** The API's endpoints in the order of the reference. */
export function endpointsOf({
  config,
  store,
  clock,
  changes,
  journalState,
}: Omit<AppDeps, 'log' | 'dashboard'>): Endpoint[] {
  const { baseUrl } = config
  const db = store.reportDb
  const destinationRules = destinationRulesOf(config)
  return [
    ...createLinkEndpoints({ db: store.db, clock, changes, baseUrl, destinationRules }),
    ...linkEndpoints({ store, clock, changes, baseUrl, destinationRules }),
    ...analyticsEndpoints({ db, clock }),
    linkAnalyticsEndpoint({ db, clock, baseUrl }),
    ...accountEndpoints({ db, clock }),
    ...publicEndpoints({
      db,
      clock,
      journalState,
      statsTtlMs: config.publicStats ? config.publicStatsTtlMs : undefined,
    }),
  ]
}

/** The request's id, its headers, its line in the log, and what becomes of an error. */
function watchRequests(app: Hono<AppEnv>, { clock, log, config: { baseUrl } }: AppDeps): void {
  app.use(async (context, next) => {
    const startedMs = clock.monotonicMs()
    const requestId = Bun.randomUUIDv7()
    context.set('requestId', requestId)
    context.header('X-Request-Id', requestId)
    for (const [name, value] of securityHeaders(context.req.path, baseUrl)) context.header(name, value)
    await next()
    log.info('request', {
      request_id: requestId,
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      ms: Math.round((clock.monotonicMs() - startedMs) * 10) / 10,
    })
  })
  app.onError((error, context) => {
    if (error instanceof Refusal) return refusalAnswer(context, error)
    log.error('A request failed.', {
      request_id: context.get('requestId'),
      path: context.req.path,
      ...describeError(error),
    })
    return isStoreUnavailable(error) ? refusalAnswer(context, storeDown()) : faultAnswer(context)
  })
}

/** Not a bug of ours, and it passes: a full disk, say. */
const storeDown = () =>
  new Refusal(
    'unavailable',
    'The service cannot store anything at the moment. Come again in a few seconds.',
    {
      retryAfterSeconds: STORE_RETRY_SECONDS,
    },
  )
