import { z } from '@hono/zod-openapi'
import { clicksBetween } from '../../analytics/clicks-between.ts'
import { countBots } from '../../analytics/count-bots.ts'
import { overview } from '../../analytics/overview.ts'
import { recentClicks } from '../../analytics/recent-clicks.ts'
import { workspaceTotals } from '../../analytics/click-totals.ts'
import { findLink } from '../../links/find-link.ts'
import { listDestinations } from '../../links/versions/list-destinations.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { type Query, readParameters } from '../requests/query.ts'
import { overviewSchema, overviewView, reportParameters } from './analytics-view.ts'
import { clickSchema, clickView, liveTotals } from './click-view.ts'
import {
  analyticsMeta,
  analyticsMetaSchema,
  analyticsSchema,
  dashboardAnalytics,
  readLifetimeQuery,
} from './dashboard-analytics.ts'
import {
  linkGroupParameters,
  linkGroups,
  linkGroupSchema,
  rangeLinkSchema,
  rangeTopLinks,
} from './dashboard-rankings.ts'
import { timestamp } from './schemas.ts'

const RECENT_CLICKS = 20

const overviewWithClicks = z.strictObject({ ...overviewSchema.shape, recent_clicks: z.array(clickSchema) })
export type OverviewView = z.infer<typeof overviewWithClicks>

/** Where a link leads, or led, since this version. */
const destinationSchema = z.strictObject({
  version: z.int(),
  since: timestamp(),
  original_url: z.string(),
  clicks: z
    .int()
    .nullable()
    .openapi({ description: 'In that time; null if the hours do not tell it exactly.' }),
})
export type LinkDestinationView = z.infer<typeof destinationSchema>

export type AnalyticsQuery = z.input<typeof reportParameters>

const botSchema = z.strictObject({
  bot: z.string().nullable().openapi({ description: 'null: programs without a known name.' }),
  clicks: z.int(),
  percentage: z.number(),
})

const lifetimeQuery = {
  schema: reportParameters,
  read: (query: Query, { deps, caller }: ReadingContext) => readLifetimeQuery(deps, caller!, query),
}

/** The data of the charts, and the clicks of the last minutes. */
export const dashboardAnalyticsEndpoints = [
  endpoint({
    route: 'GET /overview',
    who: 'session',
    role: 'analytics:read',
    answer: { message: 'Overview retrieved.', data: overviewWithClicks },
    async run({ caller }, { reportDb: db, clock, config, domains }) {
      const { workspaceId } = caller
      const clicks = config.rawClickDays === 0 ? [] : await recentClicks(db, { workspaceId }, RECENT_CLICKS)
      const data = {
        ...overviewView(await overview({ db, clock }, caller)),
        recent_clicks: clicks.map((click) => clickView(domains, click)),
      }
      return { data }
    },
  }),
  endpoint({
    route: 'GET /analytics',
    who: 'session',
    role: 'analytics:read',
    query: lifetimeQuery,
    answer: { message: 'Analytics retrieved.', data: analyticsSchema, meta: analyticsMetaSchema },
    async run({ caller, query: question }, { clickQueries }) {
      // Read before the analytics: later totals would include clicks that the page has not seen.
      const totals = liveTotals(
        await workspaceTotals(clickQueries.db, [caller.workspaceId]),
        caller.workspaceId,
      )
      const data = await dashboardAnalytics(clickQueries, question)
      return { data, meta: { ...analyticsMeta(question, data), totals } }
    },
  }),
  endpoint({
    route: 'GET /links/{short_code}/destinations',
    who: 'session',
    role: 'analytics:read',
    description: 'The latest fifty, newest first.',
    answer: { message: 'Destinations retrieved.', data: z.array(destinationSchema) },
    async run({ caller, key }, { readDb, clickQueries, clock }) {
      const link = await findLink({ db: readDb }, caller, key)
      const destinations = await listDestinations(readDb, link)
      const clicks = await clicksBetween(clickQueries, {
        workspaceId: caller.workspaceId,
        linkId: link.id,
        timesUs: destinations.map(({ sinceUs }) => sinceUs).toReversed(),
        nowUs: clock.nowUs(),
      })
      const data = destinations.map(({ version, sinceUs, originalUrl }, at) => ({
        version,
        since: isoMicroseconds(sinceUs),
        original_url: originalUrl,
        clicks: clicks.at(-1 - at) ?? null,
      }))
      return { data }
    },
  }),
  endpoint({
    route: 'GET /top-links',
    who: 'session',
    role: 'analytics:read',
    query: lifetimeQuery,
    answer: { message: 'Top links retrieved.', data: z.array(rangeLinkSchema) },
    run: async ({ query: question }, deps) => ({ data: await rangeTopLinks(deps, question) }),
  }),
  endpoint({
    route: 'GET /bots',
    who: 'session',
    role: 'analytics:read',
    query: lifetimeQuery,
    answer: { message: 'Bots retrieved.', data: z.array(botSchema) },
    async run({ query: { scope, ...counting } }, { clickQueries }) {
      const { rows } = await countBots(clickQueries, scope, counting)
      return { data: rows.map(({ value, ...counts }) => ({ bot: value || null, ...counts })) }
    },
  }),
  endpoint({
    route: 'GET /link-groups',
    who: 'session',
    role: 'analytics:read',
    query: {
      schema: linkGroupParameters,
      read: async (query: Query, { deps, caller }: ReadingContext) => ({
        ...(await readLifetimeQuery(deps, caller!, query)),
        ...readParameters(linkGroupParameters.pick({ by: true }), query),
      }),
    },
    answer: { message: 'Clicks by groups of links retrieved.', data: z.array(linkGroupSchema) },
    run: async ({ query: question }, deps) => ({ data: await linkGroups(deps, question) }),
  }),
  endpoint({
    route: 'GET /live',
    who: 'session',
    role: 'analytics:read',
    description: 'Server-sent events: see LiveClicks, LiveTotals and LiveSession.',
    answer: {},
    run: ({ session }, { live }) => live.open(session),
  }),
]
