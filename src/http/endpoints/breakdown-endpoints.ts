import { z } from '@hono/zod-openapi'
import { type BreakdownRow, clickReport, sumSeries } from '../../analytics/click-counts.ts'
import { clicksByLinkGroup, type LinkGroupName, linkGroupsBy } from '../../analytics/clicks-by-link-group.ts'
import { countBots } from '../../analytics/count-bots.ts'
import type { ClickScope } from '../../analytics/count-clicks.ts'
import {
  REPORT_DIMENSION_NAMES,
  REPORT_DIMENSIONS,
  type ReportDimensionName,
} from '../../analytics/report-dimensions.ts'
import { clicksBySource } from '../../analytics/sources/click-sources.ts'
import { rangeMeta, type TimeRange } from '../../analytics/time-range.ts'
import { ROWS_MAX } from '../../clicks/queries/click-query.ts'
import { UTM_NAMES, type UtmName } from '../../links/utm-parameters.ts'
import { choice } from '../../validation/field-rules.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { type Query, readParameters } from '../requests/query.ts'
import { breakdownRow, DIMENSION_ROWS, rangeMetaSchema, reportParameters } from './analytics-view.ts'
import { countBoth } from './comparison-view.ts'
import { readRangeReport } from './report-request.ts'

/** `utm`: which of the UTM parameters is meant. */
type Counting = { range: TimeRange; limit: number; utm: UtmName }

type Breakdown = {
  /** The last part of its path. */
  report: string
  /** What clicks are read by, in the document. */
  by: string
  description?: string
  row: z.ZodObject
  /** What a row says beside its counts. */
  view(value: string): object
  /** The most clicked values, '' for clicks without one, and all clicks of the range. */
  count(
    deps: ServerDeps,
    scope: ClickScope,
    counting: Counting,
  ): Promise<{ rows: BreakdownRow[]; total: number }>
  schema?: typeof reportParameters
}

const byDimension = (name: ReportDimensionName): Breakdown => ({
  ...REPORT_DIMENSIONS[name],
  row: DIMENSION_ROWS[name],
  async count({ clickQueries }, scope, { range, limit }) {
    const { series, breakdowns } = await clickReport(clickQueries, scope, {
      range,
      dimensions: [name],
      limit,
    })
    return { rows: breakdowns[name], total: sumSeries(series).clicks }
  },
})

const byGroup =
  (name: LinkGroupName): Breakdown['count'] =>
  ({ clickQueries, domains }, scope, counting) =>
    clicksByLinkGroup(clickQueries, scope, { ...counting, groups: linkGroupsBy(name, domains) })

const nullable = (name: string, { rowName, example }: { rowName: string; example: string }) => ({
  row: breakdownRow({ row: { [name]: z.string().nullable().openapi({ example }) }, rowName }),
  view: (value: string) => ({ [name]: value || null }),
})

const AS_NOW = 'As links are now. Clicks of deleted links are in the total of the range only.'

const utmParameters = reportParameters.extend({
  by: choice(UTM_NAMES).default('source').meta({ description: 'Which of the UTM parameters.' }),
})

const BREAKDOWNS: readonly Breakdown[] = [
  ...REPORT_DIMENSION_NAMES.map(byDimension),
  {
    report: 'sources',
    by: 'source',
    description:
      'A source has all hosts of a site, and its app: `l.facebook.com` and `m.facebook.com` are Facebook. Where no name is known, it is the host; null where there was none.',
    ...nullable('source', { rowName: 'SourceClicks', example: 'Facebook' }),
    count: ({ clickQueries }, scope, counting) => clicksBySource(clickQueries, scope, counting),
  },
  {
    report: 'bots',
    by: 'bot',
    description:
      'Visits of crawlers, link previews and other programs, which no other report includes; `total` is theirs. null: programs without a known name. Only filters of links combine with it.',
    ...nullable('bot', { rowName: 'BotVisits', example: 'Googlebot' }),
    count: ({ clickQueries }, scope, counting) => countBots(clickQueries, scope, counting),
  },
  {
    report: 'tags',
    by: 'tag',
    description: `A link with several tags counts for each of them; null: links without a tag. ${AS_NOW}`,
    ...nullable('tag', { rowName: 'TagClicks', example: 'Winter 2026' }),
    count: byGroup('tag'),
  },
  {
    report: 'folders',
    by: 'folder',
    description: `null: links in no folder. ${AS_NOW}`,
    ...nullable('folder', { rowName: 'FolderClicks', example: 'Campaigns' }),
    count: byGroup('folder'),
  },
  {
    report: 'domains',
    by: 'domain',
    description: `By the host of short URLs. ${AS_NOW}`,
    ...nullable('domain', { rowName: 'DomainClicks', example: 'go.example.com' }),
    count: byGroup('domain'),
  },
  {
    report: 'utm',
    by: 'UTM parameter',
    description:
      'By one of the UTM parameters with which short URLs were opened, where there were some and the workspace counts them (`count_visitor_utm`), otherwise of those in the destinations of links as they are now; null: clicks without it. Clicks of deleted links are in the total of the range only, but for those that were opened with UTM parameters.',
    ...nullable('value', { rowName: 'UtmClicks', example: 'newsletter' }),
    count: (deps, scope, counting) => byGroup(`utm_${counting.utm}`)(deps, scope, counting),
    schema: utmParameters,
  },
]

async function readBreakdown(query: Query, context: ReadingContext) {
  const report = await readRangeReport(query, context)
  const { by: utm } = readParameters(utmParameters.pick({ by: true }), query)
  return { ...report, utm }
}

function breakdownEndpoint({ report, by, description, row, view, count, schema }: Breakdown) {
  const title = report === 'utm' ? 'UTM' : `${report[0]!.toUpperCase()}${report.slice(1).replace('_', ' ')}`
  return endpoint({
    route: `GET /analytics/${report}`,
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: `Read clicks by ${by}`,
    description: `The most clicked first. ${description ?? ''}`.trim(),
    query: { schema: schema ?? reportParameters, read: readBreakdown },
    answer: {
      message: `${title} retrieved.`,
      description: 'The breakdown.',
      data: z.array(row) as z.ZodType<object[]>,
      meta: rangeMetaSchema,
    },
    refusals: [404, 422],
    async run({ query: { scope, comparison, range, limit, utm } }, deps) {
      const { rows, total } = await count(deps, scope, { range, limit, utm })
      const all = (part: TimeRange) => count(deps, scope, { range: part, limit: ROWS_MAX, utm })
      const both = await countBoth(comparison, all)
      return {
        data: rows.map(({ value, ...ofRange }) => ({ ...view(value), ...ofRange, ...both.ofRow(value) })),
        meta: { ...rangeMeta(range, total), ...both.meta },
      }
    },
  })
}

/** Clicks by what is known of them, and by what their links are. */
export const breakdownEndpoints = BREAKDOWNS.map(breakdownEndpoint)
