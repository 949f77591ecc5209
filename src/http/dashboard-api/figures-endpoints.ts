import { accountById } from '../../accounts/find-account.ts'
import { type ClickOwner, clickBreakdowns, clickSeries, sumSeries } from '../../analytics/click-counts.ts'
import { lastClickedAtUs } from '../../analytics/last-click.ts'
import { overview } from '../../analytics/overview.ts'
import { recentClicks } from '../../analytics/recent-clicks.ts'
import { precedingRange, rangeMeta, type TimeRange } from '../../analytics/time-range.ts'
import type { Caller } from '../../caller.ts'
import { DIMENSIONS } from '../../clicks/rollups.ts'
import { type Clock, hourOf, isoOrNull } from '../../clock.ts'
import { findLink } from '../../links/find-link.ts'
import type { Db } from '../../store/open-store.ts'
import { readRangeAndLimit } from '../api/analytics-endpoints.ts'
import {
  browserView,
  countryView,
  deviceView,
  pointView,
  referrerView,
  systemView,
} from '../api/analytics-views.ts'
import { type Query, textParameter } from '../query.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { FiguresView } from './dashboard-types.ts'
import { clickView } from './dashboard-views.ts'

const RECENT_CLICKS = 20

type FiguresDeps = { db: Db; clock: Clock }

/** The numbers behind the pictures; read from counters, but for the clicks of the last minutes. */
export function figuresEndpoints(deps: FiguresDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /overview', 'verified', async ({ caller }) => {
      const { totalLinks, activeLinks, totalClicks, clicksToday, topLinks } = await overview(deps, caller)
      const clicks = await recentClicks(deps.db, caller, RECENT_CLICKS)
      return {
        message: 'Overview retrieved.',
        data: {
          overview: {
            total_links: totalLinks,
            active_links: activeLinks,
            total_clicks: totalClicks,
            clicks_today: clicksToday,
          },
          top_links: topLinks.map(({ id, code, title, clickCount }) => ({
            id,
            short_code: code,
            title,
            click_count: clickCount,
          })),
          recent_clicks: clicks.map(clickView),
        },
      }
    }),
    endpoint('GET /figures', 'verified', async ({ caller, query }) => {
      const { owner, sinceUs } = await ownerOf(deps, caller, query)
      const { range, limit } = readRangeAndLimit(query, deps.clock.nowUs(), sinceUs)
      const data = await figures(deps.db, owner, { range, limit, sinceUs })
      return { message: 'Figures retrieved.', data, meta: rangeMeta(range, data.total_clicks) }
    }),
  ]
}

async function ownerOf(
  { db }: FiguresDeps,
  caller: Caller,
  query: Query,
): Promise<{ owner: ClickOwner; sinceUs: number }> {
  const code = textParameter(query, 'short_code')
  if (code !== undefined) {
    const link = await findLink({ db }, caller, code)
    return { owner: { linkId: link.id }, sinceUs: link.createdAtUs }
  }
  return { owner: caller, sinceUs: (await accountById(db, caller.accountId)).createdAtUs }
}

type Question = { range: TimeRange; limit: number; sinceUs: number }

async function figures(db: Db, owner: ClickOwner, { range, limit, sinceUs }: Question): Promise<FiguresView> {
  const points = await clickSeries(db, owner, range)
  const by = await clickBreakdowns(db, owner, { range, dimensions: DIMENSIONS, limit })
  const { clicks, visitors, bots } = sumSeries(points)
  return {
    total_clicks: clicks,
    unique_visitors: visitors,
    bot_clicks: bots,
    previous: await previousFigures(db, owner, { range, sinceUs }),
    last_clicked_at: isoOrNull(await lastClickedAtUs(db, owner)),
    timeseries: points.map((point) => ({ ...pointView(point), bots: point.bots })),
    countries: by.country.map(countryView),
    devices: by.device.map(deviceView),
    browsers: by.browser.map(browserView),
    operating_systems: by.os.map(systemView),
    referrers: by.referrer.map(referrerView),
  }
}

async function previousFigures(
  db: Db,
  owner: ClickOwner,
  { range, sinceUs }: Omit<Question, 'limit'>,
): Promise<FiguresView['previous']> {
  if (range.fromHour <= hourOf(sinceUs)) return null
  const { clicks, visitors, bots } = sumSeries(await clickSeries(db, owner, precedingRange(range)))
  return { clicks, unique_visitors: visitors, bots }
}
