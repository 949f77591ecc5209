import { z } from '@hono/zod-openapi'
import { workspaceCreatedAtUs } from '../../../workspaces/workspace.ts'
import {
  type BreakdownRow,
  type ClickOwner,
  clickBreakdowns,
  clickSeries,
  type Dimension,
  sumSeries,
} from '../../../analytics/click-counts.ts'
import { overview } from '../../../analytics/overview.ts'
import { rangeParameters } from '../../../analytics/range-parameters.ts'
import { rangeMeta, readTimeRange, type TimeRange } from '../../../analytics/time-range.ts'
import type { Caller } from '../../../access/caller.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { findLink } from '../../../links/find-link.ts'
import { keyOf } from '../../../links/domains/key-of.ts'
import type { Domains } from '../../../links/domains/domains.ts'
import type { ReadDb, ReportDb } from '../../../store/handles.ts'
import type { Endpoint } from '../keyed-endpoint.ts'
import { success } from '../../responses/envelope.ts'
import { type Query, readParameters, textParameter } from '../../requests/query.ts'
import {
  workspaceRangeQuery,
  browserSchema,
  countrySchema,
  deviceSchema,
  overviewSchema,
  pointSchema,
  rangeMetaSchema,
} from './analytics-schemas.ts'
import { browserView, countryView, deviceView, overviewView, pointView } from './analytics-views.ts'
import { envelope } from '../../endpoints/schemas.ts'

/** `readDb` finds the link: a replica may not have a new one yet. */
type AnalyticsEndpointsDeps = { db: ReportDb; readDb: ReadDb; domains: Domains; clock: Clock }

/** /api/analytics, except for the endpoint about one link. Reads counters, never single clicks. */
export function analyticsEndpoints(deps: AnalyticsEndpointsDeps): Endpoint[] {
  return [
    overviewEndpoint(deps),
    clicksEndpoint(deps),
    breakdownEndpoint(deps, {
      path: 'countries',
      dimension: 'country',
      schema: countrySchema,
      view: countryView,
    }),
    breakdownEndpoint(deps, { path: 'devices', dimension: 'device', schema: deviceSchema, view: deviceView }),
    breakdownEndpoint(deps, {
      path: 'browsers',
      dimension: 'browser',
      schema: browserSchema,
      view: browserView,
    }),
  ]
}

function overviewEndpoint(deps: AnalyticsEndpointsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/analytics/overview',
    tag: 'Analytics',
    summary: 'Read the overview',
    description: 'Clicks of deleted links stay in the totals; today begins at midnight UTC.',
    access: 'key',
    scope: 'analytics:read',
    answer: {
      status: 200,
      description: 'The overview.',
      schema: envelope('Overview retrieved.', { data: overviewSchema }),
    },
    async handle({ caller }) {
      const data = overviewView(await overview(deps, caller))
      return { body: success('Overview retrieved.', { data }) }
    },
  }
}

function clicksEndpoint(deps: AnalyticsEndpointsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/analytics/clicks',
    tag: 'Analytics',
    summary: 'Read clicks over time',
    description: 'One record for each hour, day or month of the range, those without a click included.',
    access: 'key',
    scope: 'analytics:read',
    query: workspaceRangeQuery,
    answer: {
      status: 200,
      description: 'The series.',
      schema: envelope('Clicks retrieved.', { data: z.array(pointSchema), meta: rangeMetaSchema }),
    },
    refusals: [404, 422],
    async handle({ caller, query }) {
      const { owner, range } = await readQuestion(deps, caller, query)
      const points = await clickSeries(deps.db, owner, range)
      return {
        body: success('Clicks retrieved.', {
          data: points.map(pointView),
          meta: rangeMeta(range, sumSeries(points).clicks),
        }),
      }
    },
  }
}

type BreakdownParts = {
  path: string
  dimension: Dimension
  schema: z.ZodType
  view(row: BreakdownRow): object
}

function breakdownEndpoint(
  deps: AnalyticsEndpointsDeps,
  { path, dimension, schema, view }: BreakdownParts,
): Endpoint {
  const message = `${path[0]!.toUpperCase()}${path.slice(1)} retrieved.`
  return {
    method: 'get',
    path: `/api/analytics/${path}`,
    tag: 'Analytics',
    summary: `Read clicks by ${dimension}`,
    description: 'The most clicked first.',
    access: 'key',
    scope: 'analytics:read',
    query: workspaceRangeQuery,
    answer: {
      status: 200,
      description: 'The breakdown.',
      schema: envelope(message, { data: z.array(schema), meta: rangeMetaSchema }),
    },
    refusals: [404, 422],
    async handle({ caller, query }) {
      const { owner, range, limit } = await readQuestion(deps, caller, query)
      const [by, points] = await Promise.all([
        clickBreakdowns(deps.db, owner, { range, dimensions: [dimension], limit }),
        clickSeries(deps.db, owner, range),
      ])
      return {
        body: success(message, {
          data: by[dimension].map(view),
          meta: rangeMeta(range, sumSeries(points).clicks),
        }),
      }
    },
  }
}

async function readQuestion(
  deps: AnalyticsEndpointsDeps,
  caller: Caller,
  query: Query,
): Promise<{ owner: ClickOwner; range: TimeRange; limit: number }> {
  const { owner, sinceUs } = await readOwner(deps, caller, query)
  const { limit, ...parameters } = readParameters(rangeParameters, query)
  return { owner, range: readTimeRange(parameters, deps.clock.nowUs(), sinceUs), limit }
}

/** `sinceUs`: when the link, or the account, was created. Throws "not found" for somebody else's `short_code`. */
export async function readOwner(
  { readDb: db, domains }: Pick<AnalyticsEndpointsDeps, 'readDb' | 'domains'>,
  caller: Caller,
  query: Query,
): Promise<{ owner: ClickOwner; sinceUs: number }> {
  const code = textParameter(query, 'short_code')
  if (code === undefined) {
    const sinceUs = await workspaceCreatedAtUs(db, caller.workspaceId)
    return { owner: { workspaceId: caller.workspaceId }, sinceUs }
  }
  const key = await keyOf({ db, domains }, caller, { code, domain: textParameter(query, 'domain') })
  const { id: linkId, createdAtUs: sinceUs } = await findLink({ db }, caller, key)
  return { owner: { linkId }, sinceUs }
}
