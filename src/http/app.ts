import { Hono } from 'hono'
import { describeError } from '../runtime/log.ts'
import { withSharedWaitingTime } from '../store/waiting-time.ts'
import { addMetricsEndpoint } from './metrics/metrics-endpoint.ts'
import type { AppEnv } from './dispatch/app-context.ts'
import { hasSession } from './dispatch/admit-session.ts'
import { addEndpoints } from './dispatch/dispatch.ts'
import { type AppDeps, openServerDeps, type ServerDeps } from './dispatch/server-deps.ts'
import { openImportJobs } from './dispatch/open-import-jobs.ts'
import { ENDPOINTS } from './endpoints/all-endpoints.ts'
import { API_VERSION } from '../runtime/version.ts'
import { addDashboard } from './dashboard-site/dashboard-site.ts'
import { internalErrorResponse, refusalResponse } from './responses/envelope.ts'
import { USAGE_HEADERS } from './dispatch/admit-key.ts'
import { refusalOf } from './responses/refusal-of-error.ts'
import { statusOf } from './responses/refusal-status.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { securityHeaders } from './responses/security-headers.ts'
import { addPreviewPage } from './pages/preview-endpoint.ts'
import { addDomainPages } from './pages/domain-pages.ts'
import { addWellKnown } from './pages/well-known.ts'
import { addOwnTrafficPage } from './pages/own-traffic-endpoint.ts'
import { addReportPage } from './pages/report-endpoint.ts'
import { addSharePages } from './pages/shares/share-endpoint.ts'
import { addUnsubscribePage } from './pages/unsubscribe-endpoint.ts'
import { addSite } from './pages/site.ts'

/** Everything that is not a redirect: the API, QR codes and pages. */
export function openApp(appDeps: AppDeps): Hono<AppEnv> {
  const deps = openServerDeps(appDeps)
  const app = new Hono<AppEnv>()
  watchRequests(app, deps)
  addDomainPages(app, deps)
  addDashboard(app, { ...deps, onPage: (cookies) => void wakeReports(deps, cookies) })
  const openApi = () => openApiDocument(ENDPOINTS, { ...deps, version: API_VERSION })
  addMetricsEndpoint(app, deps)
  addPreviewPage(app, { ...deps, db: deps.readDb })
  addReportPage(app, deps)
  addSharePages(app, { ...deps, db: deps.readDb })
  addUnsubscribePage(app, deps)
  addOwnTrafficPage(app, deps)
  addWellKnown(app, { ...deps, db: deps.readDb })
  addSite(app, { ...deps, db: deps.readDb, openApi })
  addEndpoints(app, deps, ENDPOINTS)
  void openImportJobs(deps)
  return app
}

/** Only for users, because a running engine takes memory. The page says what fails. */
async function wakeReports(deps: ServerDeps, cookies: string): Promise<void> {
  try {
    if (await hasSession(deps, cookies)) await deps.clickQueries.wake()
  } catch {}
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
    await context.get('counted')
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
