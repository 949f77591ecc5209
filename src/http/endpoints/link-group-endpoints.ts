import { z } from '@hono/zod-openapi'
import {
  byDomain,
  byLabel,
  byUtm,
  clicksByLinkGroup,
  type LinkGroups,
} from '../../analytics/clicks-by-link-group.ts'
import { rangeMeta } from '../../analytics/time-range.ts'
import { UTM_NAMES, type UtmName } from '../../links/utm-parameters.ts'
import { choice } from '../../validation/field-rules.ts'
import { type ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { type Query, readParameters } from '../requests/query.ts'
import { readRangeReport } from './analytics-endpoints.ts'
import { counts, rangeMetaSchema, reportParameters } from './analytics-view.ts'

type GroupReport = {
  report: string
  by: string
  description: string
  /** The name of a group in rows. */
  key: string
  example: string
  groups(deps: ServerDeps, utm: UtmName): LinkGroups
}

const REPORTS: readonly GroupReport[] = [
  {
    report: 'tags',
    by: 'tag',
    description: 'A link with several tags counts for each of them; null: links without a tag.',
    key: 'tag',
    example: 'Winter 2026',
    groups: () => byLabel('tag'),
  },
  {
    report: 'folders',
    by: 'folder',
    description: 'null: links in no folder.',
    key: 'folder',
    example: 'Campaigns',
    groups: () => byLabel('folder'),
  },
  {
    report: 'domains',
    by: 'domain',
    description: 'By the host of short URLs.',
    key: 'domain',
    example: 'go.example.com',
    groups: ({ domains }) => byDomain((id) => domains.hostOf(id)),
  },
]

const utmParameters = reportParameters.extend({
  by: choice(UTM_NAMES)
    .default('source')
    .meta({ description: 'Which of the UTM parameters in the destinations of links.' }),
})

const UTM_REPORT: GroupReport = {
  report: 'utm',
  by: 'UTM parameter',
  description: 'By one of the UTM parameters in the destinations of links; null: links without it.',
  key: 'value',
  example: 'newsletter',
  groups: (_deps, name) => byUtm(name),
}

function groupEndpoint(
  { report, by, description, key, example, groups }: GroupReport,
  schema: typeof reportParameters | typeof utmParameters,
) {
  const row = z.strictObject({ [key]: z.string().nullable().openapi({ example }), ...counts })
  return endpoint({
    route: `GET /analytics/${report}`,
    who: 'key',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: `Read clicks by ${by}`,
    description: `The most clicked first, as links are now. ${description} Clicks of deleted links are in the total of the range only.`,
    query: {
      schema,
      async read(query: Query, context: ReadingContext) {
        const { by: utm = 'source' } = readParameters(utmParameters.pick({ by: true }), query)
        return { ...(await readRangeReport(query, context)), utm }
      },
    },
    answer: {
      message: `${report === 'utm' ? 'UTM' : `${report[0]!.toUpperCase()}${report.slice(1)}`} retrieved.`,
      description: 'The groups of links.',
      data: z.array(row),
      meta: rangeMetaSchema,
    },
    refusals: [404, 422],
    async run({ query: { scope, range, limit, utm } }, deps) {
      const { rows, total } = await clicksByLinkGroup(deps.clickQueries, scope, {
        range,
        limit,
        groups: groups(deps, utm),
      })
      return {
        data: rows.map(({ name, ...counts }) => ({ [key]: name, ...counts })) as never,
        meta: rangeMeta(range, total),
      }
    },
  })
}

/** Clicks by what their links are now. */
export const linkGroupEndpoints = [
  ...REPORTS.map((each) => groupEndpoint(each, reportParameters)),
  groupEndpoint(UTM_REPORT, utmParameters),
]
