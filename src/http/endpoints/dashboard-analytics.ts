import { z } from '@hono/zod-openapi'
import { clickReport, clickSeries, sumSeries } from '../../analytics/click-counts.ts'
import type { ClickScope } from '../../analytics/count-clicks.ts'
import type { ClickQueries } from '../../clicks/queries/click-queries.ts'
import { countImported, sinceFirstImported } from '../../analytics/count-imported.ts'
import { lastClickedAtUs } from '../../analytics/click-totals.ts'
import { compareRange, type Comparison } from '../../analytics/compare-range.ts'
import { type LifetimeRange, lifetimeRange, todayRange } from '../../analytics/lifetime-range.ts'
import { GRANULARITIES } from '../../analytics/range-parameters.ts'
import { sourcesOf } from '../../analytics/sources/click-sources.ts'
import type { ComparedRange } from '../../analytics/values-in-range.ts'
import { REPORT_DIMENSION_NAMES } from '../../analytics/report-dimensions.ts'
import { rangeMeta } from '../../analytics/time-range.ts'
import type { Caller } from '../../access/caller.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import type { Query } from '../requests/query.ts'
import { narrowedScope, readReport } from './report-request.ts'
import { breakdownSchemas, breakdownViews, linkAnalyticsSchema, rangeMetaSchema } from './analytics-view.ts'
import { totalsSchema } from './click-view.ts'
import { filtersOfSingleClicks, importedReportSchema, importedReportView } from './imported-clicks-view.ts'
import {
  clickPoint,
  comparedCounts,
  comparePoints,
  pointsBefore,
  pointsOf,
  sumPoints,
} from './dashboard-series.ts'
import { timestamp } from './schemas.ts'

const count = z.int().min(0)
const { link: _link, ...ofLink } = linkAnalyticsSchema.shape
const sourceClicks = z.strictObject({ source: z.string().nullable(), clicks: count, percentage: z.number() })

export const analyticsSchema = z.strictObject({
  ...ofLink,
  ...breakdownSchemas(REPORT_DIMENSION_NAMES),
  sources: z.array(sourceClicks),
  imported: importedReportSchema.nullable().openapi({
    description: 'Clicks that other programs had counted; null with filters that cannot reach them.',
  }),
  imported_left_out: count.openapi({ description: 'Those of the range that the filters cannot reach.' }),
  qr_scans: count,
  clicks_without_filters: count.nullable().openapi({ description: 'null without filters.' }),
  clicks_today: count.openapi({ description: 'Since midnight in the time zone.' }),
  comparison: comparedCounts
    .nullable()
    .openapi({ description: 'null without `compare`, and where there is nothing to compare.' }),
  timeseries: z.array(clickPoint),
})
export type AnalyticsView = z.infer<typeof analyticsSchema>

export const analyticsMetaSchema = z.strictObject({
  ...rangeMetaSchema.shape,
  automatic_granularity: z.enum(GRANULARITIES),
  possible_granularities: z.array(z.enum(GRANULARITIES)),
  running_point: z
    .int()
    .nullable()
    .openapi({ description: 'The index of the hour, day, week or month that is not over; null if all are.' }),
  starts_at_creation: timestamp().nullable().openapi({
    description: 'When the link or account was created, if the requested range starts before; else null.',
  }),
  as_of: timestamp(),
  totals: totalsSchema.openapi({ description: 'As in `event: totals`; read before the analytics.' }),
})
export type AnalyticsMeta = z.infer<typeof analyticsMetaSchema>

/** `sinceUs`: when the link or workspace was created, or before that the first imported click. */
export type LifetimeQuery = {
  scope: ClickScope
  /** The same filters, looked up in another range. */
  scopeIn(range: ComparedRange): Promise<ClickScope>
  nowUs: number
  sinceUs: number
  range: LifetimeRange
  comparison: Comparison | null
  limit: number
  /** Whether filters can reach imported clicks. */
  reachesImported: boolean
}

/** As in the API, but limited to the time since the link or workspace was created. */
export async function readLifetimeQuery(
  deps: ServerDeps,
  caller: Caller,
  query: Query,
): Promise<LifetimeQuery> {
  const { sinceUs, limit, ...report } = await readReport(deps, caller, query)
  const { parameters } = report
  const moments = {
    nowUs: deps.clock.nowUs(),
    sinceUs: await sinceFirstImported(deps.reportDb, report.scope, sinceUs),
  }
  const range = lifetimeRange(parameters, moments)
  // Of imported clicks nothing is compared.
  const comparison =
    parameters.compare === undefined ? null : compareRange(range, parameters, { ...moments, sinceUs })
  const scopeIn = (part: ComparedRange) => narrowedScope(deps.clickQueries, report, part)
  const scope = await scopeIn({ range, comparison })
  const reachesImported = filtersOfSingleClicks(parameters).length === 0
  return { ...moments, scope, scopeIn, limit, range, comparison, reachesImported }
}

/** The data of all charts of a range. One query after the other, so that a large report leaves room for those of others. */
export async function dashboardAnalytics(
  queries: ClickQueries,
  question: LifetimeQuery,
): Promise<AnalyticsView> {
  const { scope, range, limit, comparison } = question
  const report = await clickReport(queries, scope, {
    range,
    dimensions: REPORT_DIMENSION_NAMES,
    limit,
    unlimited: ['referrer', 'via'],
  })
  const points = await pointsOf(queries, scope, { range, ...report })
  const before = comparison?.before ? await pointsBefore(queries, scope, comparison.before) : null
  const { breakdowns } = report
  const sum = sumPoints(points)
  const sources = (await sourcesOf(breakdowns.referrer, sum.clicks)).slice(0, limit)
  return {
    total_clicks: sum.clicks,
    unique_visitors: sum.unique_visitors,
    qr_scans: sum.qr_scans,
    bot_clicks: sum.bots,
    clicks_today: await clicksToday(queries, question),
    last_clicked_at: isoOrNull(await lastClickedAtUs(queries.db, scope)),
    ...comparePoints(points, before, comparison),
    ...breakdownViews(REPORT_DIMENSION_NAMES, breakdowns, limit),
    sources: sources.map(({ value, ...counts }) => ({ source: value || null, ...counts })),
    clicks_without_filters: await clicksWithoutFilters(queries, question),
    ...(await importedViews(queries.db, question)),
  }
}

async function clicksToday(queries: ClickQueries, { range, nowUs, scopeIn }: LifetimeQuery): Promise<number> {
  const today = todayRange(range, nowUs)
  const scope = await scopeIn({ range: today, comparison: null })
  return sumSeries(await clickSeries(queries, scope, today)).clicks
}

/** Those of the links that the filters of links leave. */
async function importedViews(
  db: ReadOnlyDb,
  { reachesImported, scope, ...question }: LifetimeQuery,
): Promise<Pick<AnalyticsView, 'imported' | 'imported_left_out'>> {
  const report = await countImported(db, scope, question)
  return reachesImported
    ? { imported: importedReportView(report), imported_left_out: 0 }
    : { imported: null, imported_left_out: report.total }
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
