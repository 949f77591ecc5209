import { z } from '@hono/zod-openapi'
import { answerReports, reportAnswer } from '../../operator/reports/answer-reports.ts'
import { reopenReports } from '../../operator/reports/close-reports.ts'
import { listReportedLinks, type ReportedLink } from '../../operator/reports/list-reports.ts'
import { REASONS } from '../../operator/reports/report-fields.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { choice } from '../../validation/field-rules.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { body, pageOf } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { pageMeta } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { paginationMeta, timestamp } from './schemas.ts'

const reportSchema = z.strictObject({
  id: z.int(),
  reason: z.enum(REASONS),
  message: z.string(),
  reported_at: timestamp(),
  closed_at: timestamp().nullable(),
  closed_by: z.string().nullable(),
})

const reportedLinkSchema = z.strictObject({
  link_id: z.int(),
  short_url: z.string(),
  reported_url: z.string().meta({ description: 'The destination when it was reported last.' }),
  current: z
    .strictObject({ original_url: z.string(), is_active: z.boolean() })
    .nullable()
    .meta({ description: 'Null if the link is deleted.' }),
  workspace: z
    .strictObject({
      id: z.int(),
      name: z.string(),
      owner: z.string().nullable(),
      is_suspended: z.boolean(),
    })
    .nullable()
    .meta({ description: 'Null if it is deleted.' }),
  count: z.int(),
  reports: z.array(reportSchema).meta({ description: 'The newest of `count`.' }),
})
export type ReportedLinkView = z.infer<typeof reportedLinkSchema>

/** Also what `tern report list --json` prints. */
export const reportedLinkView = ({ now, workspace, ...link }: ReportedLink): ReportedLinkView => ({
  link_id: link.linkId,
  short_url: link.shortUrl,
  reported_url: link.reportedUrl,
  current: now === undefined ? null : { original_url: now.originalUrl, is_active: now.isActive },
  workspace:
    workspace === undefined
      ? null
      : {
          id: workspace.id,
          name: workspace.name,
          owner: workspace.ownerEmail,
          is_suspended: workspace.isSuspended,
        },
  count: link.count,
  reports: link.reports.map((report) => ({
    id: report.id,
    reason: report.reason,
    message: report.message,
    reported_at: isoMicroseconds(report.reportedAtUs),
    closed_at: isoOrNull(report.closedAtUs),
    closed_by: report.closedBy,
  })),
})

/** What visitors have reported, for operators. Reports are known by the ID of their link. */
export const reportEndpoints = [
  endpoint({
    route: 'GET /admin/reports',
    who: 'session',
    role: 'operator',
    query: pageOf(pageParameters.extend({ state: choice(['open', 'closed']).default('open') })),
    answer: { message: 'Reports retrieved.', data: z.array(reportedLinkSchema), meta: paginationMeta },
    async run({ query: page }, { db }) {
      const { links, total } = await listReportedLinks(db, page)
      return { data: links.map(reportedLinkView), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'POST /admin/reports/{id}/close',
    who: 'session',
    role: 'operator',
    input: body(reportAnswer),
    answer: { message: 'Reports closed.', data: z.strictObject({ closed: z.int() }) },
    async run({ params, input: { action }, caller }, deps) {
      return { data: { closed: await answerReports(deps, caller, { linkId: idOf(params), action }) } }
    },
  }),
  endpoint({
    route: 'POST /admin/reports/{id}/reopen',
    who: 'session',
    role: 'operator',
    description: 'Opens those that were closed last.',
    answer: { message: 'Reports opened again.', data: z.strictObject({ reopened: z.int() }) },
    async run({ params, caller }, deps) {
      return { data: { reopened: await reopenReports(deps, caller, idOf(params)) } }
    },
  }),
]
