import { shownKey } from '../../links/link.ts'
import { z } from '@hono/zod-openapi'
import {
  clickReport,
  clickSeries,
  percentageOf,
  type SeriesPoint,
  sumSeries,
} from '../../analytics/click-counts.ts'
import { readClickFilters } from '../../analytics/click-filters.ts'
import { readUtmFilters } from '../../analytics/link-filters.ts'
import { lastClickedAtUs } from '../../analytics/click-totals.ts'
import { wholeBuckets } from '../../analytics/compare-range.ts'
import { type ClickScope, countByLink, countClicks } from '../../analytics/count-clicks.ts'
import { overview } from '../../analytics/overview.ts'
import { rangeMeta, type TimeRange } from '../../analytics/time-range.ts'
import { topLinks } from '../../analytics/top-links.ts'
import { WHOLE_DIMENSIONS } from '../../store/click-dimensions.ts'
import type { ClickQueries } from '../../clicks/queries/click-queries.ts'
import { findLink } from '../../links/find-link.ts'
import { isoOrNull } from '../../runtime/clock.ts'
import { parameters } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import {
  breakdownViews,
  linkAnalyticsSchema,
  linkClicksSchema,
  linkReportParameters,
  overviewSchema,
  overviewView,
  pointSchema,
  pointView,
  rangeMetaSchema,
  reportParameters,
} from './analytics-view.ts'
import { comparisonMeta, countBoth } from './comparison-view.ts'
import { type RangeReport, rangeReport, readRangeReport } from './report-request.ts'

/** The series of a range, and that of the time before beside it. */
async function seriesView(
  queries: ClickQueries,
  { scope, range, comparison, nowUs }: RangeReport,
  series: readonly SeriesPoint[],
) {
  const before = comparison?.before && (await clickSeries(queries, scope, comparison.before))
  const whole = wholeBuckets(range, nowUs)
  const points = series.map((point, at) => ({
    ...pointView(point),
    ...(at < whole ? {} : { complete: false as const }),
    ...(at < whole && before?.[at] !== undefined ? { previous: pointView(before[at]) } : {}),
  }))
  const clicks = sumSeries(series.slice(0, whole)).clicks
  const previousClicks = sumSeries(before ?? []).clicks
  return {
    points,
    meta: {
      ...rangeMeta(range, sumSeries(series).clicks),
      ...comparisonMeta(comparison, { clicks, previousClicks }),
    },
  }
}

/** The clicks of these links, and of all links of the scope. */
async function countLinks(
  queries: ClickQueries,
  scope: ClickScope,
  { links, range }: { links: readonly { id: number }[]; range: TimeRange },
) {
  const ofLinks = { ...scope, range, linkIds: links.map(({ id }) => id) }
  const [clicks, { steps }] = await Promise.all([
    countByLink(queries, ofLinks),
    countClicks(queries, scope, { range }),
  ])
  return {
    rows: [...clicks].map(([id, clicks]) => ({ value: String(id), clicks })),
    total: sumSeries(steps).clicks,
  }
}

const question = { schema: reportParameters, read: readRangeReport }

/** Reads clicks, and of a whole workspace its counters. */
export const analyticsEndpoints = [
  endpoint({
    route: 'GET /analytics/overview',
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: 'Read the overview',
    description: 'Clicks of deleted links stay in the totals; today begins at midnight UTC.',
    answer: { message: 'Overview retrieved.', description: 'The overview.', data: overviewSchema },
    run: async ({ caller }, { reportDb, clock }) => ({
      data: overviewView(await overview({ db: reportDb, clock }, caller)),
    }),
  }),
  endpoint({
    route: 'GET /analytics/clicks',
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: 'Read clicks over time',
    description: 'One record for each hour, day or month of the range, those without a click included.',
    query: question,
    answer: {
      message: 'Clicks retrieved.',
      description: 'The series.',
      data: z.array(pointSchema),
      meta: rangeMetaSchema,
    },
    refusals: [404, 422],
    async run({ query: report }, { clickQueries }) {
      const series = await clickSeries(clickQueries, report.scope, report.range)
      const { points, meta } = await seriesView(clickQueries, report, series)
      return { data: points, meta }
    },
  }),
  endpoint({
    route: 'GET /analytics/links',
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: 'Read clicks by link',
    description: 'The most clicked first. Clicks of deleted links are in the total of the range only.',
    query: question,
    answer: {
      message: 'Links retrieved.',
      description: 'The most clicked links of the range.',
      data: z.array(linkClicksSchema),
      meta: rangeMetaSchema,
    },
    refusals: [404, 422],
    async run({ query: { scope, range, comparison, limit } }, { clickQueries, domains }) {
      const { links, total } = await topLinks(clickQueries, scope, { range, limit })
      const both = await countBoth(comparison, (part) =>
        countLinks(clickQueries, scope, { links, range: part }),
      )
      const data = links.map(({ id, code, domainId, title, clicks }) => ({
        id,
        short_code: code,
        title,
        domain: domains.hostOf(domainId),
        clicks,
        percentage: percentageOf(clicks, total),
        ...both.ofRow(String(id)),
      }))
      return { data, meta: { ...rangeMeta(range, total), ...both.meta } }
    },
  }),
  endpoint({
    route: 'GET /analytics/links/{short_code}',
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: "Read one link's analytics",
    description: 'Its series and every breakdown in one answer, and when it was last clicked.',
    query: parameters(linkReportParameters),
    answer: {
      message: 'Link analytics retrieved.',
      description: 'Series and breakdowns of the link.',
      data: linkAnalyticsSchema,
      meta: rangeMetaSchema,
    },
    refusals: [404, 422],
    find: ({ deps, caller, key }) => findLink({ db: deps.readDb }, caller, key),
    async run(
      { caller, key, query: { limit, ...query } },
      { readDb, reportDb, clickQueries, clock, domains },
    ) {
      const link = await findLink({ db: readDb }, caller, key)
      const filters = readClickFilters(query)
      const ofLink: ClickScope = { workspaceId: caller.workspaceId, linkId: link.id, filters }
      const moments = { nowUs: clock.nowUs(), sinceUs: link.createdAtUs }
      const workspace = { db: reportDb, domains, workspaceId: caller.workspaceId, linkId: link.id }
      const utm = await readUtmFilters(query, workspace)
      const report = await rangeReport(clickQueries, { scope: ofLink, utm, parameters: query, ...moments })
      const { scope, range } = report
      const [{ series, breakdowns }, lastClickedAt] = await Promise.all([
        clickReport(clickQueries, scope, { range, dimensions: WHOLE_DIMENSIONS, limit }),
        lastClickedAtUs(reportDb, scope),
      ])
      const { points, meta } = await seriesView(clickQueries, report, series)
      const { clicks, visitors, bots } = sumSeries(series)
      return {
        data: {
          link: {
            id: link.id,
            short_code: shownKey(link).code,
            short_url: domains.shortUrlOf(shownKey(link)),
            title: link.title,
          },
          total_clicks: clicks,
          unique_visitors: visitors,
          bot_clicks: bots,
          last_clicked_at: isoOrNull(lastClickedAt),
          timeseries: points,
          ...breakdownViews(WHOLE_DIMENSIONS, breakdowns),
        },
        meta,
      }
    },
  }),
]
