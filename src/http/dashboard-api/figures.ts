import {
  clickBreakdowns,
  type ClickCounts,
  clickSeries,
  type SeriesPoint,
  sumSeries,
} from '../../analytics/click-counts.ts'
import { lastClickedAtUs } from '../../analytics/last-click.ts'
import { todayRange } from '../../analytics/life-range.ts'
import { rangeClicks } from '../../analytics/range-clicks.ts'
import { rangeMeta } from '../../analytics/time-range.ts'
import { topLinks } from '../../analytics/top-links.ts'
import type { Caller } from '../../caller.ts'
import { DIMENSIONS } from '../../clicks/rollups.ts'
import { HOUR_US, isoMicroseconds, isoOrNull } from '../../clock.ts'
import type { Db } from '../../store/open-store.ts'
import { breakdownViews, pointView } from '../api/analytics-views.ts'
import type { ComparisonView, Counts, FiguresMeta, FiguresView, RangeLinkView } from './dashboard-types.ts'
import type { LifeQuestion } from './life-question.ts'

/** Everything behind the pictures of a range, from counters. */
export async function figures(db: Db, question: LifeQuestion): Promise<FiguresView> {
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

export const figuresMeta = (
  { range, nowUs, sinceUs }: LifeQuestion,
  { total_clicks: total }: FiguresView,
): Omit<FiguresMeta, 'totals'> => ({
  ...rangeMeta(range, total),
  automatic_granularity: range.automatic,
  possible_granularities: range.possible,
  running_point: range.runningBucket,
  starts_at_creation: range.beginsAtCreation ? isoMicroseconds(sinceUs) : null,
  as_of: isoMicroseconds(nowUs),
})

async function comparisonOf(
  db: Db,
  { owner, comparison }: LifeQuestion,
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

/** The most clicked links of the range, each against the time before. */
export async function rangeTopLinks(
  db: Db,
  caller: Caller,
  { range, limit, comparison }: LifeQuestion,
): Promise<RangeLinkView[]> {
  const links = await topLinks(db, caller, { range, limit })
  const ids = links.map(({ id }) => id)
  const before = comparison?.before ?? null
  const endHour = range.buckets[comparison?.buckets ?? 0]?.fromHour ?? range.toHour
  const counts = before === null ? new Map() : await rangeClicks(db, ids, before)
  const whole = before === null ? new Map() : await rangeClicks(db, ids, { ...range, toHour: endHour })
  return links.map(({ id, code, title, clicks, createdAtUs }) => {
    const wasThere = before !== null && createdAtUs <= before.fromHour * HOUR_US
    return {
      ...{ id, short_code: code, title, clicks },
      comparison: comparison && {
        now: whole.get(id) ?? 0,
        before: wasThere ? (counts.get(id) ?? 0) : null,
      },
    }
  })
}
