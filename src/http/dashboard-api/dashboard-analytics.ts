import {
  clickBreakdowns,
  type ClickCounts,
  clickSeries,
  type SeriesPoint,
  sumSeries,
} from '../../analytics/click-counts.ts'
import { lastClickedAtUs } from '../../analytics/last-click.ts'
import { todayRange } from '../../analytics/lifetime-range.ts'
import { rangeClicks } from '../../analytics/range-clicks.ts'
import { rangeMeta } from '../../analytics/time-range.ts'
import { topLinks } from '../../analytics/top-links.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { Caller } from '../../access/caller.ts'
import { DIMENSIONS } from '../../clicks/counters/rollups.ts'
import { HOUR_US, isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import type { ReportDb } from '../../store/handles.ts'
import { breakdownViews, pointView } from '../api/endpoints/analytics-views.ts'
import type {
  ComparisonView,
  Counts,
  AnalyticsMeta,
  AnalyticsView,
  RangeLinkView,
} from './types/analytics-types.ts'
import type { LifetimeQuery } from './lifetime-query.ts'

/** The data of all charts of a range, from counters. */
export async function dashboardAnalytics(db: ReportDb, question: LifetimeQuery): Promise<AnalyticsView> {
  const { owner, range, limit, nowUs } = question
  const points = await clickSeries(db, owner, range)
  const by = await clickBreakdowns(db, owner, { range, dimensions: DIMENSIONS, limit })
  const sum = countsView(sumSeries(points))
  return {
    total_clicks: sum.clicks,
    unique_visitors: sum.unique_visitors,
    bot_clicks: sum.bots,
    clicks_today: sumSeries(await clickSeries(db, owner, todayRange(range, nowUs))).clicks,
    comparison: await comparisonOf(db, question, points),
    last_clicked_at: isoOrNull(await lastClickedAtUs(db, owner)),
    timeseries: points.map((point) => ({ ...pointView(point), bots: point.bots })),
    ...breakdownViews(by),
  }
}

export const analyticsMeta = (
  { range, nowUs, sinceUs }: LifetimeQuery,
  { total_clicks: total }: AnalyticsView,
): Omit<AnalyticsMeta, 'totals'> => ({
  ...rangeMeta(range, total),
  automatic_granularity: range.automatic,
  possible_granularities: range.possible,
  running_point: range.runningBucket,
  starts_at_creation: range.beginsAtCreation ? isoMicroseconds(sinceUs) : null,
  as_of: isoMicroseconds(nowUs),
})

async function comparisonOf(
  db: ReportDb,
  { owner, comparison }: LifetimeQuery,
  points: readonly SeriesPoint[],
): Promise<ComparisonView | null> {
  if (comparison === null) return null
  const { buckets, before } = comparison
  return {
    points: buckets,
    now: countsView(sumSeries(points.slice(0, buckets))),
    before: before && countsView(sumSeries(await clickSeries(db, owner, before))),
  }
}

const countsView = ({ clicks, visitors, bots }: ClickCounts): Counts => ({
  clicks,
  unique_visitors: visitors,
  bots,
})

/** The top links of the range, each compared with the range before. */
export async function rangeTopLinks(
  { db, domains }: { db: ReportDb; domains: Pick<Domains, 'hostOf'> },
  caller: Caller,
  { range, limit, comparison }: LifetimeQuery,
): Promise<RangeLinkView[]> {
  const links = await topLinks(db, caller, { range, limit })
  const ids = links.map(({ id }) => id)
  const before = comparison?.before ?? null
  const endHour = range.buckets[comparison?.buckets ?? 0]?.fromHour ?? range.toHour
  const counts = before === null ? new Map() : await rangeClicks(db, ids, before)
  const whole = before === null ? new Map() : await rangeClicks(db, ids, { ...range, toHour: endHour })
  return links.map(({ id, code, domainId, title, clicks, createdAtUs }) => {
    const wasThere = before !== null && createdAtUs <= before.fromHour * HOUR_US
    return {
      ...{ id, short_code: code, domain: domains.hostOf(domainId), title, clicks },
      comparison: comparison && {
        now: whole.get(id) ?? 0,
        before: wasThere ? (counts.get(id) ?? 0) : null,
      },
    }
  })
}
