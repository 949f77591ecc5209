import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/caller.ts'
import { clickReport, clickSeries, percentageOf, sumSeries } from '../../analytics/click-counts.ts'
import type { ClickScope } from '../../analytics/count-clicks.ts'
import { lastClickedAtUs } from '../../analytics/click-totals.ts'
import { overview } from '../../analytics/overview.ts'
import { readClickFilters } from '../../analytics/click-filters.ts'
import {
  LINK_FILTER_NAMES,
  type linkFilterParameters,
  readLinkFilters,
} from '../../analytics/link-filters.ts'
import { REPORT_DIMENSIONS } from '../../analytics/report-dimensions.ts'
import { clicksBySource, scopeOfSources } from '../../analytics/sources/click-sources.ts'
import { topLinks } from '../../analytics/top-links.ts'
import { rangeMeta, readTimeRange } from '../../analytics/time-range.ts'
import { type Dimension, DIMENSIONS, WHOLE_DIMENSIONS } from '../../clicks/facts/dimensions.ts'
import { keyOf } from '../../links/domains/key-of.ts'
import { findLink } from '../../links/find-link.ts'
import { isoOrNull } from '../../runtime/clock.ts'
import { workspaceCreatedAtUs } from '../../workspaces/workspace.ts'
import { parameters, type ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { type Query, readParameters } from '../requests/query.ts'
import {
  breakdownSchema,
  breakdownView,
  breakdownViews,
  linkAnalyticsSchema,
  linkClicksSchema,
  overviewSchema,
  overviewView,
  pointSchema,
  pointView,
  rangeMetaSchema,
  linkReportParameters,
  reportParameters,
  sourceClicksSchema,
} from './analytics-view.ts'

/** What a report is about, before its range is divided. `sinceUs`: when the link, or the workspace, was created. */
export async function readReport(deps: ServerDeps, caller: Caller, query: Query) {
  const { limit, ...parameters } = readParameters(reportParameters, query)
  const { workspaceId } = caller
  const filters = readClickFilters(parameters)
  const key = onlyLink(parameters)
  if (key !== undefined) {
    const link = await findLink(
      { db: deps.readDb },
      caller,
      await keyOf({ ...deps, db: deps.readDb }, caller, key),
    )
    const scope: ClickScope = { workspaceId, linkId: link.id, filters }
    return { scope, sinceUs: link.createdAtUs, limit, parameters }
  }
  const links = await readLinkFilters(parameters, { db: deps.readDb, domains: deps.domains, workspaceId })
  const scope: ClickScope = { workspaceId, links, filters }
  return { scope, sinceUs: await workspaceCreatedAtUs(deps.readDb, workspaceId), limit, parameters }
}

/** The code of a single link, on a domain or wherever the workspace has it. Undefined for a report of several links. */
function onlyLink({ short_code: code, domain, ...others }: z.output<typeof linkFilterParameters>) {
  const isSingle = (filter = code) => filter !== undefined && filter.values.length === 1 && !filter.isNegated
  const hasOthers = LINK_FILTER_NAMES.some((name) => others[name as keyof typeof others] !== undefined)
  if (!isSingle() || (domain !== undefined && !isSingle(domain)) || hasOthers) return undefined
  return { code: code!.values[0]!, domain: domain?.values[0] }
}

/** With its range. */
export async function readRangeReport(query: Query, { deps, caller }: ReadingContext) {
  const { sinceUs, limit, parameters, ...report } = await readReport(deps, caller!, query)
  const range = readTimeRange(parameters, deps.clock.nowUs(), sinceUs)
  const scope = await scopeOfSources(deps.clickQueries, report.scope, { range, sources: parameters.source })
  return { scope, range, limit }
}

const question = { schema: reportParameters, read: readRangeReport }

function breakdownEndpoint(name: Dimension) {
  const { report, by } = REPORT_DIMENSIONS[name]
  return endpoint({
    route: `GET /analytics/${report}`,
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: `Read clicks by ${by}`,
    description: 'The most clicked first.',
    query: question,
    answer: {
      message: `${report[0]!.toUpperCase()}${report.slice(1).replace('_', ' ')} retrieved.`,
      description: 'The breakdown.',
      data: breakdownSchema(name),
      meta: rangeMetaSchema,
    },
    refusals: [404, 422],
    async run({ query: { scope, range, limit } }, { clickQueries }) {
      const { series, breakdowns } = await clickReport(clickQueries, scope, {
        range,
        dimensions: [name],
        limit,
      })
      return { data: breakdownView(name, breakdowns[name]), meta: rangeMeta(range, sumSeries(series).clicks) }
    },
  })
}

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
    async run({ query: { scope, range } }, { clickQueries }) {
      const points = await clickSeries(clickQueries, scope, range)
      return { data: points.map(pointView), meta: rangeMeta(range, sumSeries(points).clicks) }
    },
  }),
  ...DIMENSIONS.map(breakdownEndpoint),
  endpoint({
    route: 'GET /analytics/sources',
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: 'Read clicks by source',
    description:
      'The most clicked first. A source has all hosts of a site, and its app: `l.facebook.com` and `m.facebook.com` are Facebook. Where no name is known, it is the host.',
    query: question,
    answer: {
      message: 'Sources retrieved.',
      description: 'The breakdown.',
      data: z.array(sourceClicksSchema),
      meta: rangeMetaSchema,
    },
    refusals: [404, 422],
    async run({ query: { scope, range, limit } }, { clickQueries }) {
      const { rows, total } = await clicksBySource(clickQueries, scope, { range, limit })
      const data = rows.map(({ value, ...counts }) => ({ source: value || null, ...counts }))
      return { data, meta: rangeMeta(range, total) }
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
    async run({ query: { scope, range, limit } }, { clickQueries, domains }) {
      const { links, total } = await topLinks(clickQueries, scope, { range, limit })
      const data = links.map(({ id, code, domainId, title, clicks }) => ({
        id,
        short_code: code,
        title,
        domain: domains.hostOf(domainId),
        clicks,
        percentage: percentageOf(clicks, total),
      }))
      return { data, meta: rangeMeta(range, total) }
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
      const range = readTimeRange(query, clock.nowUs(), link.createdAtUs)
      const filters = readClickFilters(query)
      const ofLink: ClickScope = { workspaceId: caller.workspaceId, linkId: link.id, filters }
      const scope = await scopeOfSources(clickQueries, ofLink, { range, sources: query.source })
      const [{ series, breakdowns }, lastClickedAt] = await Promise.all([
        clickReport(clickQueries, scope, { range, dimensions: WHOLE_DIMENSIONS, limit }),
        lastClickedAtUs(reportDb, scope),
      ])
      const { clicks, visitors, bots } = sumSeries(series)
      return {
        data: {
          link: {
            id: link.id,
            short_code: link.code,
            short_url: domains.shortUrlOf(link),
            title: link.title,
          },
          total_clicks: clicks,
          unique_visitors: visitors,
          bot_clicks: bots,
          last_clicked_at: isoOrNull(lastClickedAt),
          timeseries: series.map(pointView),
          ...breakdownViews(breakdowns),
        },
        meta: rangeMeta(range, clicks),
      }
    },
  }),
]
