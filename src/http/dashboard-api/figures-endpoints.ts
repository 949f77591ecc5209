import { clickBreakdowns, clickSeries, sumSeries } from '../../analytics/click-counts.ts'
import { lastClickedAtUs } from '../../analytics/last-click.ts'
import { overview } from '../../analytics/overview.ts'
import { recentClicks } from '../../analytics/recent-clicks.ts'
import { precedingRange, rangeMeta } from '../../analytics/time-range.ts'
import { DIMENSIONS } from '../../clicks/rollups.ts'
import { type Clock, hourOf, isoOrNull } from '../../clock.ts'
import type { Db } from '../../store/open-store.ts'
import { type Question, readQuestion } from '../api/analytics-endpoints.ts'
import { breakdownViews, overviewView, pointView } from '../api/analytics-views.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { FiguresView } from './dashboard-types.ts'
import { clickView } from './dashboard-views.ts'

const RECENT_CLICKS = 20

type FiguresDeps = { db: Db; clock: Clock }

/** The numbers behind the pictures; read from counters, but for the clicks of the last minutes. */
export function figuresEndpoints(deps: FiguresDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /overview', 'verified', async ({ caller }) => {
      const clicks = await recentClicks(deps.db, caller, RECENT_CLICKS)
      const data = {
        ...overviewView(await overview(deps, caller)),
        recent_clicks: clicks.map(clickView),
      }
      return { message: 'Overview retrieved.', data }
    }),
    endpoint('GET /figures', 'verified', async ({ caller, query }) => {
      const question = await readQuestion(deps, caller, query)
      const data = await figures(deps.db, question)
      return { message: 'Figures retrieved.', data, meta: rangeMeta(question.range, data.total_clicks) }
    }),
  ]
}

async function figures(db: Db, question: Question): Promise<FiguresView> {
  const { owner, range, limit } = question
  const points = await clickSeries(db, owner, range)
  const by = await clickBreakdowns(db, owner, { range, dimensions: DIMENSIONS, limit })
  const { clicks, visitors, bots } = sumSeries(points)
  return {
    total_clicks: clicks,
    unique_visitors: visitors,
    bot_clicks: bots,
    previous: await previousFigures(db, question),
    last_clicked_at: isoOrNull(await lastClickedAtUs(db, owner)),
    timeseries: points.map((point) => ({ ...pointView(point), bots: point.bots })),
    ...breakdownViews(by),
  }
}

async function previousFigures(
  db: Db,
  { owner, range, sinceUs }: Question,
): Promise<FiguresView['previous']> {
  if (range.fromHour <= hourOf(sinceUs)) return null
  const { clicks, visitors, bots } = sumSeries(await clickSeries(db, owner, precedingRange(range)))
  return { clicks, unique_visitors: visitors, bots }
}
