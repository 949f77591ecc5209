export type { CountryClicks } from '../../endpoints/analytics-view.ts'
export type { ClickView, LiveClicks, LiveTotals } from '../../endpoints/click-view.ts'
export type { AnalyticsQuery, OverviewView } from '../../endpoints/dashboard-analytics-endpoints.ts'
export type {
  AnalyticsMeta,
  AnalyticsView,
  ClickPoint,
  Counts,
  RangeLinkView,
} from '../../endpoints/dashboard-analytics.ts'
