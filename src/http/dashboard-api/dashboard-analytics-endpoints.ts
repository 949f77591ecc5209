import { clicksBetween } from '../../analytics/clicks-between.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { findLink } from '../../links/find-link.ts'
import { listDestinations } from '../../links/versions/list-destinations.ts'
import { workspaceTotals } from '../../analytics/workspace-totals.ts'
import { overview } from '../../analytics/overview.ts'
import { recentClicks } from '../../analytics/recent-clicks.ts'
import { type Clock, isoMicroseconds } from '../../runtime/clock.ts'
import type { ReadDb, ReportDb } from '../../store/handles.ts'
import { overviewView } from '../api/endpoints/analytics-views.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import { clickView, liveTotals } from '../endpoints/click-view.ts'
import { dashboardAnalytics, analyticsMeta, rangeTopLinks } from './dashboard-analytics.ts'
import { readLifetimeQuery } from './lifetime-query.ts'

const RECENT_CLICKS = 20

type DashboardAnalyticsDeps = { db: ReportDb; readDb: ReadDb; domains: Domains; clock: Clock }

/** The data of the charts, from counters, and the clicks of the last minutes. */
export function dashboardAnalyticsEndpoints(deps: DashboardAnalyticsDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /overview', 'analytics:read', async ({ caller }) => {
      const clicks = await recentClicks(deps.db, { workspaceId: caller.workspaceId }, RECENT_CLICKS)
      const data = {
        ...overviewView(await overview(deps, caller)),
        recent_clicks: clicks.map((click) => clickView(deps.domains, click)),
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
    endpoint('GET /links/{short_code}/destinations', 'analytics:read', async ({ caller, key }) => {
      const link = await findLink({ db: deps.readDb }, caller, key)
      const destinations = await listDestinations(deps.readDb, link)
      const clicks = await clicksBetween(deps.db, {
        linkId: link.id,
        timesUs: destinations.map(({ sinceUs }) => sinceUs).toReversed(),
        nowUs: deps.clock.nowUs(),
      })
      const data = destinations.map(({ version, sinceUs, originalUrl }, at) => ({
        ...{ version, since: isoMicroseconds(sinceUs), original_url: originalUrl },
        clicks: clicks.at(-1 - at) ?? null,
      }))
      return { message: 'Destinations retrieved.', data }
    }),
    endpoint('GET /top-links', 'analytics:read', async ({ caller, query }) => {
      const question = await readLifetimeQuery(deps, caller, query)
      const data = await rangeTopLinks(deps, caller, question)
      return { message: 'Top links retrieved.', data }
    }),
  ]
}
