import { workspaceTotals } from '../../analytics/workspace-totals.ts'
import { overview } from '../../analytics/overview.ts'
import { recentClicks } from '../../analytics/recent-clicks.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReadDb, ReportDb } from '../../store/handles.ts'
import { overviewView } from '../api/endpoints/analytics-views.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import { clickView, liveTotals } from './dashboard-views.ts'
import { dashboardAnalytics, analyticsMeta, rangeTopLinks } from './dashboard-analytics.ts'
import { readLifetimeQuery } from './lifetime-query.ts'

const RECENT_CLICKS = 20

type DashboardAnalyticsDeps = { db: ReportDb; readDb: ReadDb; clock: Clock }

/** The data of the charts, from counters, and the clicks of the last minutes. */
export function dashboardAnalyticsEndpoints(deps: DashboardAnalyticsDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /overview', 'analytics:read', async ({ caller }) => {
      const clicks = await recentClicks(deps.db, { workspaceId: caller.workspaceId }, RECENT_CLICKS)
      const data = {
        ...overviewView(await overview(deps, caller)),
        recent_clicks: clicks.map(clickView),
      }
      return { message: 'Overview retrieved.', data }
    }),
    endpoint('GET /figures', 'analytics:read', async ({ caller, query }) => {
      const question = await readLifetimeQuery(deps, caller, query)
      // Read before the analytics: later totals would include clicks that the page has not seen.
      const totals = liveTotals(await workspaceTotals(deps.db, [caller.workspaceId]), caller.workspaceId)
      const data = await dashboardAnalytics(deps.db, question)
      return { message: 'Analytics retrieved.', data, meta: { ...analyticsMeta(question, data), totals } }
    }),
    endpoint('GET /top-links', 'analytics:read', async ({ caller, query }) => {
      const question = await readLifetimeQuery(deps, caller, query)
      const data = await rangeTopLinks(deps.db, caller, question)
      return { message: 'Top links retrieved.', data }
    }),
  ]
}
