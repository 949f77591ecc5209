import { validated } from '../../errors/field-errors.ts'
import { answerReports, type AnswerReportsDeps, reportAnswer } from '../../operator/reports/answer-reports.ts'
import { choice } from '../../validation/field-rules.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { reopenReports } from '../../operator/reports/close-reports.ts'
import { listReportedLinks } from '../../operator/reports/list-reports.ts'
import { pageMeta, readPage } from '../requests/paged-list.ts'
import { idOf } from '../requests/path-id.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import { reportedLinkView } from './reported-link-view.ts'

export const reportListParameters = pageParameters.extend({
  state: choice(['open', 'closed']).default('open'),
})

/** What visitors have reported, for operators. */
export function reportEndpoints(deps: AnswerReportsDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /admin/reports', 'operator', async ({ query }) => {
      const page = readPage(reportListParameters, query)
      const { links, total } = await listReportedLinks(deps.db, page)
      return {
        message: 'Reports retrieved.',
        data: links.map(reportedLinkView),
        meta: pageMeta(page, total),
      }
    }),
    endpoint('POST /admin/reports/{id}/close', 'operator', async ({ params, input, caller }) => {
      const { action } = validated(reportAnswer, input)
      const closed = await answerReports(deps, caller, { linkId: idOf(params), action })
      return { message: 'Reports closed.', data: { closed } }
    }),
    endpoint('POST /admin/reports/{id}/reopen', 'operator', async ({ params, caller }) => ({
      message: 'Reports opened again.',
      data: { reopened: await reopenReports(deps, caller, idOf(params)) },
    })),
  ]
}
