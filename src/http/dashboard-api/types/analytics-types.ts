import type { MemberRole } from '../../../access/roles-and-scopes.ts'
import type { countryView } from '../../api/endpoints/analytics-views.ts'
import type { ClickView } from '../../endpoints/click-view.ts'

export type CountryClicks = ReturnType<typeof countryView>

/** What GET /live sends: `event: clicks` with the first, `event: totals` with the second, `event: role` with the third. */
export type LiveClicks = { clicks: ClickView[] }

/** When the role of the user in the workspace has changed. */
export type LiveRole = { role: MemberRole }

export type { ClickView, LiveTotals } from '../../endpoints/click-view.ts'
export type { AnalyticsQuery, OverviewView } from '../../endpoints/dashboard-analytics-endpoints.ts'
export type {
  AnalyticsMeta,
  AnalyticsView,
  ClickPoint,
  ComparisonView,
  Counts,
  RangeLinkView,
} from '../../endpoints/dashboard-analytics.ts'
