import type { z } from 'zod'
import type { MemberRole } from '../../../access/roles-and-scopes.ts'
import type {
  breakdownViews,
  countryView,
  overviewView,
  pointView,
} from '../../api/endpoints/analytics-views.ts'
import type { workspaceRangeQuery } from '../../api/endpoints/analytics-schemas.ts'
import type { ClickView, LiveTotals } from '../../endpoints/click-view.ts'
import type { Timestamp } from './page-types.ts'

/** Endpoints of analytics. Part of DashboardApi. */
export type AnalyticsApi = {
  'GET /overview': { data: OverviewView }
  'GET /figures': { query: AnalyticsQuery; data: AnalyticsView; meta: AnalyticsMeta }
  'GET /top-links': { query: Omit<AnalyticsQuery, 'short_code'>; data: RangeLinkView[] }
}

export type OverviewView = ReturnType<typeof overviewView> & { recent_clicks: ClickView[] }

/** `short_code` for one link instead of all. */
export type AnalyticsQuery = z.input<typeof workspaceRangeQuery>

type Granularity = 'hour' | 'day' | 'month'

type RangeMeta = {
  from: Timestamp
  to: Timestamp
  granularity: Granularity
  timezone: string
  total: number
}

export type ClickPoint = ReturnType<typeof pointView> & { bots: number }

export type CountryClicks = ReturnType<typeof countryView>

export type Counts = { clicks: number; unique_visitors: number; bots: number }

/** `clicks_today`: since midnight in the time zone. `comparison`: null where there is nothing to compare. */
export type AnalyticsView = ReturnType<typeof breakdownViews> & {
  total_clicks: number
  unique_visitors: number
  bot_clicks: number
  clicks_today: number
  comparison: ComparisonView | null
  last_clicked_at: Timestamp | null
  timeseries: ClickPoint[]
}

/**
 * The first `points` of the series, which are over, and the same ones of the time before; `before` is null where the
 * link, or the account, was not there for all of it.
 */
export type ComparisonView = { points: number; now: Counts; before: Counts | null }

export type AnalyticsMeta = RangeMeta & {
  /** The default, and the possible values. */
  automatic_granularity: Granularity
  possible_granularities: Granularity[]
  /** The index of the hour, day or month that is not over; null if all are. */
  running_point: number | null
  /** When the link or account was created, if the requested range starts before; else null. */
  starts_at_creation: Timestamp | null
  as_of: Timestamp
  /** As in `event: totals`; read before the analytics. */
  totals: LiveTotals
}

/** `clicks`: in the range. `comparison`: as in ComparisonView. */
export type RangeLinkView = {
  id: number
  short_code: string
  domain: string
  title: string
  clicks: number
  comparison: { now: number; before: number | null } | null
}

/** What GET /live sends: `event: clicks` with the first, `event: totals` with the second, `event: role` with the third. */
export type LiveClicks = { clicks: ClickView[] }

export type { ClickView, LiveTotals }

/** When the role of the user in the workspace has changed. */
export type LiveRole = { role: MemberRole }
