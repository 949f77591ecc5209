import type { Writer } from '../mail/account-emails.ts'
import type { EmailTable, EmailTemplate } from '../mail/email-template.ts'
import { percentText, wholeText } from '../runtime/number-text.ts'
import { once } from '../runtime/make-once.ts'
import { figureChange } from './figure-change.ts'
import type { PeriodFigures } from './period-figures.ts'
import { datesOf, type ReportFrequency, type ReportPeriod } from './report-period.ts'

/** `shortUrl`: without the scheme. */
type ReportedLink = { title: string; shortUrl: string; clicks: number }

export type ReportEmailParts = {
  to: string
  name: string
  workspace: string
  frequency: ReportFrequency
  timezone: string
  period: ReportPeriod
  figures: Omit<PeriodFigures, 'links'> & { links: readonly ReportedLink[] }
  href: string
  unsubscribeHref: string
  messageId: string
}

/** Undefined where there is nothing to say: neither the period nor the one before had any clicks. */
export function reportEmail({ service }: Writer, parts: ReportEmailParts): EmailTemplate | undefined {
  const { to, name, workspace, frequency, period, figures } = parts
  const { now, before } = figures
  if (now.clicks === 0 && (before?.clicks ?? 0) === 0) return undefined
  const when = whenOf(frequency, period)
  return {
    to,
    subject: `${clicksText(now.clicks)} ${when} at ${service}`,
    paragraphs: [
      `Hello ${name},`,
      now.clicks === 0
        ? `Nobody opened a link of “${workspace}” ${when}. In the ${daysOf(period)} before: ${clicksText(before!.clicks)}.`
        : `This is what was counted for “${workspace}” ${when}, compared with the ${daysOf(period)} before.`,
    ],
    tables: now.clicks === 0 ? [] : tablesOf(figures),
    action: { label: 'Open analytics', href: parts.href },
    notes: [
      `Days begin at midnight in ${parts.timezone}. You get this email ${OFTEN[frequency]}, as you chose in the settings.`,
    ],
    unsubscribeHref: parts.unsubscribeHref,
    messageId: parts.messageId,
  }
}

const OFTEN = { weekly: 'every Monday', monthly: 'on the first of every month' } as const

function tablesOf(figures: ReportEmailParts['figures']): EmailTable[] {
  const { now, imported, before, links, countries, sources } = figures
  const figure = (which: 'clicks' | 'visitors') =>
    `${wholeText(now[which])} (${figureChange({ now: now[which], before: before && before[which] })})`
  const tables: EmailTable[] = [
    {
      heading: '',
      rows: [
        ['Clicks', figure('clicks')],
        ...(imported === 0 ? [] : [importedRow(imported)]),
        ['Visitors', figure('visitors')],
      ],
    },
    {
      heading: 'Top links',
      rows: links.map(({ title, shortUrl, clicks }) => [
        title === '' ? shortUrl : `${title} (${shortUrl})`,
        wholeText(clicks),
      ]),
    },
    { heading: 'Countries', rows: countries.map(shareRow) },
    {
      heading: 'Sources',
      rows: sources.map(({ name, ...share }) => shareRow({ ...share, name: name || DIRECT })),
    },
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

/** Of days before a link was imported; apart from the clicks. */
const importedRow = (clicks: number): [string, string] => ['Imported clicks', `+ ${wholeText(clicks)}`]

/** As the dashboard calls it. */
const DIRECT = 'Direct or unknown'

const shareRow = ({ name, clicks, percentage }: PeriodFigures['sources'][number]): [string, string] => [
  name,
  `${wholeText(clicks)} (${percentText(percentage)})`,
]

// Dates of the calendar, at midnight UTC.
const day = once(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }))
const dayOfYear = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }))
const month = once(
  () => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

const clicksText = (clicks: number): string =>
  clicks === 0 ? 'No clicks' : clicks === 1 ? '1 click' : `${wholeText(clicks)} clicks`

const daysOf = ({ from, to }: ReportPeriod): string => `${to - from} days`

function whenOf(frequency: ReportFrequency, period: ReportPeriod): string {
  const { from, to } = datesOf(period)
  const first = Date.parse(from)
  const last = Date.parse(to)
  return frequency === 'monthly'
    ? `in ${month().format(first)}`
    : `from ${day().format(first)} to ${dayOfYear().format(last)}`
}
