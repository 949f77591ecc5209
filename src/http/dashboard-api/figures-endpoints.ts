import { accountTotals } from '../../analytics/account-totals.ts'
import { overview } from '../../analytics/overview.ts'
import { recentClicks } from '../../analytics/recent-clicks.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../store/open-store.ts'
import { overviewView } from '../api/analytics-views.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import { clickView, liveTotals } from './dashboard-views.ts'
import { figures, figuresMeta, rangeTopLinks } from './figures.ts'
import { readLifeQuestion } from './life-question.ts'

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
      const question = await readLifeQuestion(deps, caller, query)
      // Before the figures: with later ones a page would think that it has seen clicks that it has not.
      const totals = liveTotals(await accountTotals(deps.db, [caller.accountId]), caller.accountId)
      const data = await figures(deps.db, question)
      return { message: 'Analytics retrieved.', data, meta: { ...figuresMeta(question, data), totals } }
    }),
    endpoint('GET /top-links', 'verified', async ({ caller, query }) => {
      const question = await readLifeQuestion(deps, caller, query)
      const data = await rangeTopLinks(deps.db, caller, question)
      return { message: 'Top links retrieved.', data }
    }),
  ]
}
