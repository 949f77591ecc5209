import { z } from '@hono/zod-openapi'
import {
  type BreakdownRow,
  clickReport,
  clickSeries,
  type SeriesPoint,
  sumSeries,
} from '../../analytics/click-counts.ts'
import {
  type ClickCounts,
  type ClickScope,
  countByLink,
  type Quarters,
} from '../../analytics/count-clicks.ts'
import { topLinks } from '../../analytics/top-links.ts'
import type { ClickQueries } from '../../clicks/queries/click-queries.ts'
import { lastClickedAtUs } from '../../analytics/click-totals.ts'
import { compareRange, type Comparison } from '../../analytics/compare-range.ts'
import { type LifetimeRange, lifetimeRange, todayRange } from '../../analytics/lifetime-range.ts'
import { COMPARISONS, GRANULARITIES } from '../../analytics/range-parameters.ts'
import { clicksBySource, scopeOfSources, sourcesOf } from '../../analytics/sources/click-sources.ts'
import { rangeMeta } from '../../analytics/time-range.ts'
import type { Caller } from '../../access/caller.ts'
import { WHOLE_DIMENSIONS } from '../../clicks/facts/dimensions.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { isoMicroseconds, isoOrNull, QUARTER_US } from '../../runtime/clock.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import type { Query } from '../requests/query.ts'
import { readReport } from './report-request.ts'
import {
  breakdownSchemas,
  breakdownViews,
  linkAnalyticsSchema,
  pointSchema,
  pointView,
  rangeMetaSchema,
} from './analytics-view.ts'
import { totalsSchema } from './click-view.ts'
import { timestamp } from './schemas.ts'

const count = z.int().min(0)
const countsSchema = z.strictObject({ clicks: count, unique_visitors: count, bots: count })
export type Counts = z.infer<typeof countsSchema>

const dashboardPoint = z.strictObject({ ...pointSchema.shape, bots: count })
export type ClickPoint = z.infer<typeof dashboardPoint>

const comparisonSchema = z
  .strictObject({
    compare: z.enum(COMPARISONS),
    points: z.int(),
    now: countsSchema,
    before: countsSchema.nullable(),
  })
  .openapi({
    description:
      'The first `points` of the series, which are over, and the same ones of the time before, which is the period before or the same one a year earlier; `before` is null where the link, or the account, was not there for all of it.',
  })
type ComparisonView = z.infer<typeof comparisonSchema>

const { link: _link, ...ofLink } = linkAnalyticsSchema.shape
const sourceClicks = z.strictObject({ source: z.string().nullable(), clicks: count, percentage: z.number() })

/** Beside those of the API. */
const FURTHER_DIMENSIONS = ['language', 'via', 'variant'] as const
const SHOWN_DIMENSIONS = [...WHOLE_DIMENSIONS, ...FURTHER_DIMENSIONS] as const

export const analyticsSchema = z.strictObject({
  ...ofLink,
  ...breakdownSchemas(FURTHER_DIMENSIONS),
  sources: z.array(sourceClicks),
  clicks_without_filters: count.nullable().openapi({ description: 'null without filters.' }),
  clicks_today: count.openapi({ description: 'Since midnight in the time zone.' }),
  comparison: comparisonSchema.nullable().openapi({ description: 'null where there is nothing to compare.' }),
  timeseries: z.array(dashboardPoint),
})
export type AnalyticsView = z.infer<typeof analyticsSchema>

export const analyticsMetaSchema = z.strictObject({
  ...rangeMetaSchema.shape,
  automatic_granularity: z.enum(GRANULARITIES),
  possible_granularities: z.array(z.enum(GRANULARITIES)),
  running_point: z
    .int()
    .nullable()
    .openapi({ description: 'The index of the hour, day or month that is not over; null if all are.' }),
  starts_at_creation: timestamp().nullable().openapi({
    description: 'When the link or account was created, if the requested range starts before; else null.',
  }),
  as_of: timestamp(),
  totals: totalsSchema.openapi({ description: 'As in `event: totals`; read before the analytics.' }),
})
export type AnalyticsMeta = z.infer<typeof analyticsMetaSchema>

export const rangeLinkSchema = z.strictObject({
  id: z.int(),
  short_code: z.string(),
  domain: z.string(),
  title: z.string(),
  clicks: count.openapi({ description: 'In the range.' }),
  comparison: z.strictObject({ now: count, before: count.nullable() }).nullable(),
})
export type RangeLinkView = z.infer<typeof rangeLinkSchema>

/** `sinceUs`: when the link or workspace was created. */
type LifetimeQuery = {
  scope: ClickScope
  nowUs: number
  sinceUs: number
  range: LifetimeRange
  comparison: Comparison | null
  limit: number
}

/** As in the API, but limited to the time since the link or workspace was created. */
export async function readLifetimeQuery(
  deps: ServerDeps,
  caller: Caller,
  query: Query,
): Promise<LifetimeQuery> {
  const { sinceUs, limit, parameters, ...report } = await readReport(deps, caller, query)
  const moments = { nowUs: deps.clock.nowUs(), sinceUs }
  const range = lifetimeRange(parameters, moments)
  const comparison = compareRange(range, parameters, moments)
  const sources = { range, comparison, sources: parameters.source }
  const scope = await scopeOfSources(deps.clickQueries, report.scope, sources)
  return { ...moments, scope, limit, range, comparison }
}

/** The data of all charts of a range. */
export async function dashboardAnalytics(
  queries: ClickQueries,
  question: LifetimeQuery,
): Promise<AnalyticsView> {
  const { scope, range, limit, nowUs } = question
  const { series, breakdowns } = await clickReport(queries, scope, {
    range,
    dimensions: SHOWN_DIMENSIONS,
    limit,
  })
  const sum = countsView(sumSeries(series))
  return {
    total_clicks: sum.clicks,
    unique_visitors: sum.unique_visitors,
    bot_clicks: sum.bots,
    clicks_today: sumSeries(await clickSeries(queries, scope, todayRange(range, nowUs))).clicks,
    comparison: await comparisonOf(queries, question, series),
    last_clicked_at: isoOrNull(await lastClickedAtUs(queries.db, scope)),
    timeseries: series.map((point) => ({ ...pointView(point), bots: point.bots })),
    ...breakdownViews(SHOWN_DIMENSIONS, breakdowns),
    sources: await sourceViews(queries, question, breakdowns.referrer),
    clicks_without_filters: await clicksWithoutFilters(queries, question),
  }
}

/** Often the referrers are all there are. */
async function sourceViews(
  queries: ClickQueries,
  { scope, range, limit }: LifetimeQuery,
  referrers: readonly BreakdownRow[],
): Promise<AnalyticsView['sources']> {
  const total = referrers.reduce((sum, { clicks }) => sum + clicks, 0)
  const rows =
    referrers.length < limit
      ? await sourcesOf(referrers, total)
      : (await clicksBySource(queries, scope, { range, limit })).rows
  return rows.map(({ value, ...counts }) => ({ source: value || null, ...counts }))
}

async function clicksWithoutFilters(
  queries: ClickQueries,
  { scope: { filters, links, ...scope }, range }: LifetimeQuery,
): Promise<number | null> {
  if (filters === undefined && links === undefined) return null
  return sumSeries(await clickSeries(queries, scope, range)).clicks
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
  queries: ClickQueries,
  { scope, comparison }: LifetimeQuery,
  points: readonly SeriesPoint[],
): Promise<ComparisonView | null> {
  if (comparison === null) return null
  const { compare, buckets, before } = comparison
  return {
    compare,
    points: buckets,
    now: countsView(sumSeries(points.slice(0, buckets))),
    before: before && countsView(sumSeries(await clickSeries(queries, scope, before))),
  }
}

const countsView = ({ clicks, visitors, bots }: ClickCounts): Counts => ({
  clicks,
  unique_visitors: visitors,
  bots,
})

/** The top links of the range, each compared with the range before. */
export async function rangeTopLinks(
  { clickQueries: queries, domains }: { clickQueries: ClickQueries; domains: Pick<Domains, 'hostOf'> },
  { scope, range, limit, comparison }: LifetimeQuery,
): Promise<RangeLinkView[]> {
  const { links } = await topLinks(queries, scope, { range, limit })
  const countsIn = (part: Quarters) =>
    countByLink(queries, {
      workspaceId: scope.workspaceId,
      linkIds: links.map(({ id }) => id),
      filters: scope.filters,
      range: part,
    })
  const before = comparison?.before ?? null
  const counts = before === null ? new Map() : await countsIn(before)
  const whole = before === null ? new Map() : await countsIn(comparison!.now)
  return links.map(({ id, code, domainId, title, clicks, createdAtUs }) => {
    const wasThere = before !== null && createdAtUs <= before.fromQuarter * QUARTER_US
    return {
      id,
      short_code: code,
      domain: domains.hostOf(domainId),
      title,
      clicks,
      comparison: comparison && {
        now: whole.get(id) ?? 0,
        before: wasThere ? (counts.get(id) ?? 0) : null,
      },
    }
  })
}
