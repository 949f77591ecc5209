import { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Domains } from '../links/domains/domains.ts'
import type { DomainChecks } from '../domains/domain-checks.ts'
import { WorkspacePlaces } from '../limits/workspace-places.ts'
import type { RedirectStateChanges } from '../links/destinations/block-host.ts'
import type { Blocks } from '../links/destinations/blocks.ts'
import type { CreateLinksDeps } from '../links/create-links.ts'
import type { DestinationPages } from '../destination-pages/destination-pages.ts'
import type { TitleQueue } from '../destination-pages/title-queue.ts'
import { destinationRulesOf } from '../links/destinations/destination-rules.ts'
import type { LinkChanges } from '../links/link.ts'
import { describeError, type Log } from '../runtime/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Refusal } from '../errors/refusal.ts'
import type { MailSender } from '../mail/mail-queue.ts'
import type { PasswordQueue } from '../users/password/password-queue.ts'
import { MinuteLimit } from '../limits/minute-limit.ts'
import { isStoreUnavailable, refusesChanges } from '../store/store-errors.ts'
import type { Store } from '../store/open-store.ts'
import { withSharedWaitingTime } from '../store/waiting-time.ts'
import { addMetricsEndpoint } from './metrics/metrics-endpoint.ts'
import { addEndpoints, type AppEnv } from './api/handle-endpoint.ts'
import { accountEndpoints } from './api/endpoints/account-endpoints.ts'
import { analyticsEndpoints } from './api/endpoints/analytics-endpoints.ts'
import { auditEndpoints } from './api/endpoints/audit-endpoints.ts'
import { bulkEndpoints } from './api/endpoints/bulk-endpoints.ts'
import { createLinkEndpoints } from './api/endpoints/create-link-endpoints.ts'
import { explainEndpoint } from './api/endpoints/explain-endpoint.ts'
import { linkAnalyticsEndpoint } from './api/endpoints/link-analytics-endpoint.ts'
import { domainEndpoints } from './api/endpoints/domain-endpoints.ts'
import { labelEndpoints } from './api/endpoints/label-endpoints.ts'
import { exportEndpoint, LinkExports } from './api/endpoints/link-exports.ts'
import { linkEndpoints } from './api/endpoints/link-endpoints.ts'
import { trashEndpoints } from './api/endpoints/trash-endpoints.ts'
import { versionEndpoints } from './api/endpoints/version-endpoints.ts'
import { workspaceEndpoints } from './api/endpoints/workspace-endpoints.ts'
import { publicEndpoints } from './api/endpoints/public-endpoints.ts'
import { API_VERSION } from './api/api-version.ts'
import type { ComputeChannel } from './compute/compute-channel.ts'
import { QrDrawer } from './compute/qr-drawer.ts'
import type { BuiltDashboard } from './dashboard-site/built-dashboard.ts'
import { addDashboard } from './dashboard-site/dashboard-site.ts'
import { openDashboardApi } from './dashboard-api/open-dashboard-api.ts'
import type { CallerEndpoint, Endpoint } from './api/endpoint.ts'
import { internalErrorResponse, refusalResponse } from './responses/envelope.ts'
import { USAGE_HEADERS } from './api/limit-rate.ts'
import { statusOf } from './responses/refusal-status.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { securityHeaders } from './responses/security-headers.ts'
import { addPreviewPage, type PreviewDeps } from './pages/preview-endpoint.ts'
import { addDomainPages } from './pages/domain-pages.ts'
import { addWellKnown } from './pages/well-known.ts'
import { addReportPage } from './pages/report-endpoint.ts'
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
  domains: Domains
  redirectState: RedirectStateChanges
  mails: MailSender
  openLink: PreviewDeps['openLink']
  codeLog: CreateLinksDeps['codeLog']
  pages: DestinationPages | undefined
  titles: Pick<TitleQueue, 'add'>
  compute: ComputeChannel
  domainChecks: Pick<DomainChecks, 'check'>
  serviceState(): ServiceState
  dashboard: BuiltDashboard
}

/** Requests without a key, a minute and address: a page polls its health, a guesser of codes is slowed down. */
const PUBLIC_REQUESTS_PER_MINUTE = 1_000
const STORE_RETRY_SECONDS = 5
/** A check of a domain takes seconds when nothing answers. */
const DOMAIN_CHECKS = { running: 8, runningOfOne: 2, waiting: 64, waitingOfOne: 4 }

/** Everything that is not a redirect: the API, QR codes and pages. */
export function openApp(deps: AppDeps): Hono<AppEnv> {
  const { config, store, clock, metrics } = deps
  const { baseUrl } = config
  const publicLimit = new MinuteLimit(clock, PUBLIC_REQUESTS_PER_MINUTE)
  const shared = sharedEndpointsOf(deps)
  const endpoints = [...shared, ...keyedEndpointsOf(deps)]
  const app = new Hono<AppEnv>()
  watchRequests(app, deps)
  addDomainPages(app, deps)
  const qrDrawer = new QrDrawer(deps.compute)
  openDashboardApi(app, { ...deps, qrDrawer, destinationRules: destinationRulesOf(config, deps) }, shared)
  addDashboard(app, deps.dashboard)
  const openApi = () => openApiDocument(endpoints, { baseUrl, version: API_VERSION })
  addMetricsEndpoint(app, deps)
  addPreviewPage(app, { ...deps, db: store.readDb, publicLimit })
  addReportPage(app, { ...deps, db: store.db, baseUrl, publicLimit })
  addWellKnown(app, { ...deps, db: store.readDb })
  addSite(app, {
    db: store.readDb,
    blocks: deps.blocks,
    domains: deps.domains,
    clock,
    config,
    openApi,
    qrDrawer,
    publicLimit,
    metrics,
  })
  addEndpoints(app, { store, domains: deps.domains, clock, publicLimit, metrics }, endpoints)
  return app
}

type DescribedDeps = Omit<AppDeps, 'log' | 'metrics' | 'dashboard' | 'openLink' | 'pages' | 'compute'>

/** The API's endpoints in the order of the reference. */
export const endpointsOf = (deps: DescribedDeps): Endpoint[] => [
  ...sharedEndpointsOf(deps),
  ...keyedEndpointsOf(deps),
]

/** What people do in the dashboard as well. */
function sharedEndpointsOf(deps: DescribedDeps): CallerEndpoint[] {
  const { config, store, clock, changes, blocks, domains, codeLog, passwords } = deps
  const destinationRules = destinationRulesOf(config, { domains, blocks })
  const places = new WorkspacePlaces(DOMAIN_CHECKS, 'Too many domains are being checked.')
  return [
    ...createLinkEndpoints({ ...deps, db: store.db, destinationRules, linksMax: config.linksMax }),
    ...linkEndpoints({ store, codeLog, clock, changes, domains, destinationRules, passwords }),
    ...bulkEndpoints({
      db: store.db,
      domains,
      clock,
      changes,
      destinationRules,
      trashDays: config.trashDays,
      linksMax: config.linksMax,
    }),
    ...versionEndpoints({ store, codeLog, clock, changes, domains, destinationRules }),
    explainEndpoint({ db: store.readDb, clock, blocks, ownHosts: destinationRules.ownHosts }),
    ...labelEndpoints({ store, clock }),
    ...trashEndpoints({
      store,
      clock,
      changes,
      domains,
      destinationRules,
      trashDays: config.trashDays,
      linksMax: config.linksMax,
    }),
    ...domainEndpoints({
      ...deps,
      db: store.db,
      reportDb: store.reportDb,
      destinationRules,
      checks: deps.domainChecks,
      places,
    }),
    ...workspaceEndpoints({ store, clock }),
    ...auditEndpoints({ db: store.listDb, clock }),
  ]
}

function keyedEndpointsOf({
  config,
  store,
  clock,
  blocks,
  domains,
  serviceState,
}: DescribedDeps): Endpoint[] {
  const { readDb, reportDb: db } = store
  const destinationRules = destinationRulesOf(config, { domains, blocks })
  const list = { db, clock, domains }
  return [
    exportEndpoint(new LinkExports({ domains, clock, destinationRules, list })),
    ...analyticsEndpoints({ db, readDb, domains, clock }),
    linkAnalyticsEndpoint({ db, readDb, clock, domains }),
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
    await withSharedWaitingTime(next)
    log.info('request', {
      request_id: requestId,
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      ms: Math.round((clock.monotonicMs() - startedMs) * 10) / 10,
    })
  })
  app.onError((error, context) => {
    const refusal = refusalOf(error, context.req.method)
    // Whether the request was counted says nothing about why it failed.
    if (statusOf(refusal?.code ?? 'internal_error') >= 500)
      for (const name of USAGE_HEADERS) context.header(name)
    if (refusal !== undefined) return refusalResponse(context, refusal)
    log.error('A request failed.', {
      request_id: context.get('requestId'),
      path: context.req.path,
      ...describeError(error),
    })
    return internalErrorResponse(context)
  })
}

function refusalOf(error: unknown, method: string): Refusal | undefined {
  if (error instanceof Refusal) return error
  // Logged where it was noticed, once for all requests: StoreOutage.
  return isStoreUnavailable(error) ? storeDown(error, method) : undefined
}

/** It passes, and is not a bug: a full disk, say. With a key a read also stores that it was made. */
function storeDown(error: unknown, method: string): Refusal {
  const isRead = method === 'GET' && !refusesChanges(error, true)
  return new Refusal(
    'store_unavailable',
    isRead
      ? 'The database cannot be read at the moment. Try again in a few seconds.'
      : 'Nothing can be stored at the moment. Try again in a few seconds.',
    { retryAfterSeconds: STORE_RETRY_SECONDS },
  )
}
