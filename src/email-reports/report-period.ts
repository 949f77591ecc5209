import { isoDay } from '../runtime/clock.ts'

export const REPORT_FREQUENCIES = ['weekly', 'monthly'] as const
export type ReportFrequency = (typeof REPORT_FREQUENCIES)[number]

/** Weeks begin on Monday, months on the 1st, both at midnight of the time zone. */
export type ReportSchedule = { frequency: ReportFrequency; timezone: string }

/** Days of the calendar, as whole days since 1970. `to` is not included. */
export type ReportPeriod = { from: number; to: number }

/** In the morning after the period, when all of its clicks are counted, also those of a node that was offline for the night. */
const SENT_AT = '07:00'
const UNITS = { weekly: 'weeks', monthly: 'months' } as const
const EPOCH = Temporal.PlainDate.from('1970-01-01')

/** The last period whose report is due. */
export function lastPeriod({ frequency, timezone }: ReportSchedule, nowUs: number): ReportPeriod {
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowUs / 1000))
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
  const begun =
    frequency === 'weekly' ? today.subtract({ days: today.dayOfWeek - 1 }) : today.with({ day: 1 })
  const unit = UNITS[frequency]
  const to = sentAtUs(dayNumber(begun), timezone) > nowUs ? begun.subtract({ [unit]: 1 }) : begun
  return { from: dayNumber(to.subtract({ [unit]: 1 })), to: dayNumber(to) }
}

/** When the first report is due whose period ends after this day. */
export function nextReportUs({ frequency, timezone }: ReportSchedule, reportedTo: number): number {
  const day = dateOf(reportedTo)
  const next =
    frequency === 'weekly' ? day.add({ days: 8 - day.dayOfWeek }) : day.with({ day: 1 }).add({ months: 1 })
  return sentAtUs(dayNumber(next), timezone)
}

/** When the report is due of a period that ends before this day. */
export const sentAtUs = (to: number, timezone: string): number =>
  dateOf(to).toZonedDateTime({ timeZone: timezone, plainTime: SENT_AT }).epochMilliseconds * 1000

/** First and last day, as `2026-04-20`. */
export const datesOf = ({ from, to }: ReportPeriod): { from: string; to: string } => ({
  from: isoDay(from),
  to: isoDay(to - 1),
})

/** First and last second, as `2026-04-20T00:00:00+02:00`. */
export function spanOf({ from, to }: ReportPeriod, timezone: string): { from: string; to: string } {
  const start = dateOf(from).toZonedDateTime(timezone)
  const end = dateOf(to).toZonedDateTime(timezone).subtract({ seconds: 1 })
  return { from: textOf(start), to: textOf(end) }
}

const textOf = (at: Temporal.ZonedDateTime): string =>
  at.toString({ timeZoneName: 'never', smallestUnit: 'second' })

const dateOf = (day: number): Temporal.PlainDate => EPOCH.add({ days: day })
const dayNumber = (date: Temporal.PlainDate): number => EPOCH.until(date).days
