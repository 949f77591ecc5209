import { WindowLimit } from '../../limits/window-limit.ts'
import type { Writer } from '../../mail/account-emails.ts'
import type { EmailTemplate } from '../../mail/email-template.ts'
import { type Clock, HOUR_US } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { type MailingDeps, writerOf } from '../../users/tokens/mailed-link.ts'
import type { AddedReport } from './add-report.ts'
import { REASON_NAMES } from './report-fields.ts'

/** About phishing, and about the rest. */
const MAILED_PER_HOUR_MAX = 5

type ReportMailsDeps = MailingDeps & { db: CurrentDb; clock: Clock }

/** Emails the operators about reports, with a limit per hour on each node. */
export class ReportMails {
  readonly #deps: ReportMailsDeps
  readonly #limit: WindowLimit
  #notMailed = 0

  constructor(deps: ReportMailsDeps) {
    this.#deps = deps
    this.#limit = new WindowLimit(deps.clock, { windowMs: HOUR_US / 1_000, max: MAILED_PER_HOUR_MAX })
  }

  async tell({ shortUrl, reason }: AddedReport): Promise<void> {
    // Reports of other kinds must not keep the operators from hearing of phishing.
    const kind = reason === 'phishing' ? reason : 'others'
    if (!this.#limit.count([{ key: kind, times: 1 }]).isAllowed) {
      this.#notMailed++
      return
    }
    const notMailed = this.#notMailed
    this.#notMailed = 0
    const href = `${this.#deps.baseUrl}/dashboard/admin/reports`
    const notice = { shortUrl, reason: REASON_NAMES[reason], notMailed, href }
    for (const to of await operatorEmails(this.#deps.db))
      this.#deps.mails.post(linkReportedTemplate(writerOf(this.#deps), { to, ...notice }))
  }
}

async function operatorEmails(db: CurrentDb): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('role', '=', 'admin')
    .where('email_verified_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ email }) => email)
}

type ReportNotice = { to: string; shortUrl: string; reason: string; notMailed: number; href: string }

/** Without the visitor's message and without the destination: both are a stranger's text. */
const linkReportedTemplate = (
  { service }: Writer,
  { to, shortUrl, reason, notMailed, href }: ReportNotice,
): EmailTemplate => ({
  to,
  subject: `A link was reported at ${service}`,
  paragraphs: [
    'Hello,',
    `A visitor has reported ${shortUrl}. Reason: ${reason}.`,
    ...(notMailed === 0
      ? []
      : [
          `${notMailed === 1 ? 'One more report has' : `${notMailed} more reports have`} come in since the last email.`,
        ]),
  ],
  action: { label: 'See reports', href },
  notes: ['You get this email because you are an operator. At most five an hour are sent.'],
})
