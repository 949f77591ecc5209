import { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import type { Clock } from '../runtime/clock.ts'
import type { BlockChanges } from '../links/destinations/block-host.ts'
import type { Blocks } from '../links/destinations/blocks.ts'
import type { CreateLinksDeps } from '../links/create-links.ts'
import { destinationRulesOf } from '../links/destinations/destination-rules.ts'
import type { LinkChanges } from '../links/link.ts'
import { describeError, type Log } from '../runtime/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Refusal } from '../errors/refusal.ts'
import type { MailSender } from '../mail/mail-queue.ts'
import type { PasswordQueue } from '../users/password/password-queue.ts'
import { MinuteLimit } from '../limits/minute-limit.ts'
import { isStoreUnavailable } from '../store/store-errors.ts'
import type { Store } from '../store/open-store.ts'
import { addMetricsEndpoint } from './metrics/metrics-endpoint.ts'
import { addEndpoints, type AppEnv } from './api/handle-endpoint.ts'
import { accountEndpoints } from './api/endpoints/account-endpoints.ts'
import { analyticsEndpoints } from './api/endpoints/analytics-endpoints.ts'
import { createLinkEndpoints } from './api/endpoints/create-link-endpoints.ts'
import { explainEndpoint } from './api/endpoints/explain-endpoint.ts'
import { linkAnalyticsEndpoint } from './api/endpoints/link-analytics-endpoint.ts'
import { linkEndpoints } from './api/endpoints/link-endpoints.ts'
import { trashEndpoints } from './api/endpoints/trash-endpoints.ts'
import { versionEndpoints } from './api/endpoints/version-endpoints.ts'
import { publicEndpoints } from './api/endpoints/public-endpoints.ts'
import { API_VERSION } from './api/api-version.ts'
import type { BuiltDashboard } from './dashboard-site/built-dashboard.ts'
import { addDashboard } from './dashboard-site/dashboard-site.ts'
import { openDashboardApi } from './dashboard-api/open-dashboard-api.ts'
import type { CallerEndpoint, Endpoint } from './api/endpoint.ts'
import { internalErrorResponse, refusalResponse } from './responses/envelope.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { securityHeaders } from './responses/security-headers.ts'
import { addPreviewPage, type PreviewDeps } from './pages/preview-endpoint.ts'
import { addSite } from './pages/site.ts'
import type { ServiceState } from './api-server/service-state.ts'

export type AppDeps = {
  config: Config
  store: Store
  clock: Clock
  passwords: PasswordQueue
  log: Log
  metrics: Metrics
  changes: LinkChanges
  blocks: Blocks
  blockChanges: BlockChanges
  mails: MailSender
  openLink: PreviewDeps['openLink']
  codeLog: CreateLinksDeps['codeLog']
  serviceState(): ServiceState
  dashboard: BuiltDashboard
}

/** Requests without a key, a minute and address: a page polls its health, a guesser of codes is slowed down. */
const PUBLIC_REQUESTS_PER_MINUTE = 1_000
const STORE_RETRY_SECONDS = 5

/** Everything that is not a redirect: the API, QR codes and pages. */
export function openApp(deps: AppDeps): Hono<AppEnv> {
  const { config, store, clock, metrics } = deps
  const { baseUrl } = config
  const publicLimit = new MinuteLimit(clock, PUBLIC_REQUESTS_PER_MINUTE)
  const shared = sharedEndpointsOf(deps)
  const endpoints = [...shared, ...keyedEndpointsOf(deps)]
  const app = new Hono<AppEnv>()
  watchRequests(app, deps)
  openDashboardApi(app, { ...deps, destinationRules: destinationRulesOf(config, deps.blocks) }, shared)
  addDashboard(app, deps.dashboard)
  const openApi = () => openApiDocument(endpoints, { baseUrl, version: API_VERSION })
  addMetricsEndpoint(app, deps)
  addPreviewPage(app, { ...deps, db: store.readDb, baseUrl, publicLimit })
  addSite(app, { db: store.readDb, blocks: deps.blocks, clock, config, openApi, publicLimit, metrics })
  addEndpoints(app, { store, clock, publicLimit, metrics }, endpoints)
  return app
}

type DescribedDeps = Omit<AppDeps, 'log' | 'metrics' | 'blockChanges' | 'mails' | 'dashboard' | 'openLink'>

/** The API's endpoints in the order of the reference. */
export const endpointsOf = (deps: DescribedDeps): Endpoint[] => [
  ...sharedEndpointsOf(deps),
  ...keyedEndpointsOf(deps),
]

/** What people do in the dashboard as well. */
function sharedEndpointsOf(deps: DescribedDeps): CallerEndpoint[] {
  const { config, store, clock, changes, blocks, codeLog, passwords } = deps
  const { baseUrl } = config
  const destinationRules = destinationRulesOf(config, blocks)
  return [
    ...createLinkEndpoints({ db: store.db, clock, changes, codeLog, baseUrl, destinationRules, passwords }),
    ...linkEndpoints({ store, codeLog, clock, changes, baseUrl, destinationRules, passwords }),
    ...versionEndpoints({ store, codeLog, clock, changes, baseUrl, destinationRules }),
    explainEndpoint({ db: store.readDb, clock, blocks, ownHosts: destinationRules.ownHosts }),
    ...trashEndpoints({ store, clock, changes, baseUrl, destinationRules, trashDays: config.trashDays }),
  ]
}

function keyedEndpointsOf({ config, store, clock, blocks, serviceState }: DescribedDeps): Endpoint[] {
  const { baseUrl } = config
  const { readDb, reportDb: db } = store
  return [
    ...analyticsEndpoints({ db, readDb, clock }),
    linkAnalyticsEndpoint({ db, readDb, clock, baseUrl }),
    ...accountEndpoints({ db: readDb, clock }),
    ...publicEndpoints({
      db: readDb,
      blocks,
      clock,
      serviceState,
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
    if (error instanceof Refusal) return refusalResponse(context, error)
    log.error('A request failed.', {
      request_id: context.get('requestId'),
      path: context.req.path,
      ...describeError(error),
    })
    return isStoreUnavailable(error) ? refusalResponse(context, storeDown()) : internalErrorResponse(context)
  })
}

/** Not a bug of ours, and it passes: a full disk, say. */
const storeDown = () =>
  new Refusal('unavailable', 'Nothing can be stored at the moment. Try again in a few seconds.', {
    retryAfterSeconds: STORE_RETRY_SECONDS,
  })
