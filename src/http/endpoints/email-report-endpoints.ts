import { z } from '@hono/zod-openapi'
import {
  chooseEmailReport,
  emailReportChoice,
  findEmailReport,
  REPORT_CHOICES,
} from '../../email-reports/choose-email-report.ts'
import { isoOrNull } from '../../runtime/clock.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { timestamp } from './schemas.ts'

const emailReportSchema = z.strictObject({
  frequency: z.enum(REPORT_CHOICES),
  timezone: z
    .string()
    .nullable()
    .meta({ description: 'null until the user has chosen one, if the workspace has none.' }),
  next_at: timestamp().nullable().meta({ description: 'When the next report is due; null while off.' }),
})

/** Whether the user gets the analytics of the current workspace by email. */
export const emailReportEndpoints = [
  endpoint({
    route: 'GET /email-report',
    who: 'session',
    role: 'analytics:read',
    answer: { message: 'Email report retrieved.', data: emailReportSchema },
    async run({ caller }, { db }) {
      const { nextAtUs, ...report } = await findEmailReport(db, caller)
      return { data: { ...report, next_at: isoOrNull(nextAtUs) } }
    },
  }),
  endpoint({
    route: 'PUT /email-report',
    who: 'session',
    role: 'analytics:read',
    input: body(emailReportChoice),
    answer: { message: 'Email report updated.' },
    run: ({ caller, input }, deps) => chooseEmailReport(deps, caller, input),
  }),
]
