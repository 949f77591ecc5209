import type { Writer } from './account-emails.ts'
import type { EmailTemplate } from './email-template.ts'

type ReportNotice = { to: string; shortUrl: string; reason: string; notMailed: number; href: string }

/** Without the visitor's message and without the destination: both are a stranger's text. */
export const linkReportedTemplate = (
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
