import { type ClickOwner, clickBreakdowns, clickSeries, sumSeries } from '../../../analytics/click-counts.ts'
import { lastClickedAtUs } from '../../../analytics/last-click.ts'
import { rangeParameters } from '../../../analytics/range-parameters.ts'
import { rangeMeta, readTimeRange } from '../../../analytics/time-range.ts'
import { DIMENSIONS } from '../../../clicks/counters/rollups.ts'
import { type Clock, isoOrNull } from '../../../runtime/clock.ts'
import { findLink } from '../../../links/find-link.ts'
import type { Domains } from '../../../links/domains/domains.ts'
import type { ReadDb, ReportDb } from '../../../store/handles.ts'
import type { Endpoint } from '../keyed-endpoint.ts'
import { success } from '../../responses/envelope.ts'
import { readParameters } from '../../requests/query.ts'
import { linkAnalyticsSchema, rangeMetaSchema } from './analytics-schemas.ts'
import { breakdownViews, pointView } from './analytics-views.ts'
import { envelope } from '../../endpoints/schemas.ts'

type LinkAnalyticsDeps = { db: ReportDb; readDb: ReadDb; clock: Clock; domains: Domains }

export function linkAnalyticsEndpoint({ db, readDb, clock, domains }: LinkAnalyticsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/analytics/links/{short_code}',
    tag: 'Analytics',
    summary: "Read one link's analytics",
    description: 'Its series and every breakdown in one answer, and when it was last clicked.',
    access: 'key',
    scope: 'analytics:read',
    query: rangeParameters,
    answer: {
      status: 200,
      description: 'Series and breakdowns of the link.',
      schema: envelope('Link analytics retrieved.', { data: linkAnalyticsSchema, meta: rangeMetaSchema }),
    },
    refusals: [404, 422],
    find: (caller, key) => findLink({ db: readDb }, caller, key),
    async handle({ caller, key, query }) {
      const link = await findLink({ db: readDb }, caller, key)
      const { limit, ...parameters } = readParameters(rangeParameters, query)
      const range = readTimeRange(parameters, clock.nowUs(), link.createdAtUs)
      const owner: ClickOwner = { linkId: link.id }
      const [points, by, lastClickedAt] = await Promise.all([
        clickSeries(db, owner, range),
        clickBreakdowns(db, owner, { range, dimensions: DIMENSIONS, limit }),
        lastClickedAtUs(db, owner),
      ])
      const { clicks, visitors, bots } = sumSeries(points)
      return {
        body: success('Link analytics retrieved.', {
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
            timeseries: points.map(pointView),
            ...breakdownViews(by),
          },
          meta: rangeMeta(range, clicks),
        }),
      }
    },
  }
}
