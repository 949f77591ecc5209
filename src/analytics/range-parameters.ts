import { z } from 'zod'
import { choice } from '../validation/field-rules.ts'
import { writtenTime } from '../validation/query-parameters.ts'

export const PERIODS = ['24h', '7d', '30d', '90d', '12m', 'all'] as const
export const COMPARISONS = ['previous', 'year'] as const
export const GRANULARITIES = ['hour', 'day', 'week', 'month'] as const
const LIMIT_MAX = 100
const LIMIT_DEFAULT = 20

/** 1970 to 2200, where microseconds are exact numbers. */
const LATEST_MS = Date.UTC(2200, 0)
const isOfOurTime = (ms: number): boolean => ms >= 0 && ms < LATEST_MS

export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

function isMoment(text: string): boolean {
  try {
    if (isDate(text))
      return isOfOurTime(Temporal.PlainDate.from(text).toZonedDateTime('UTC').epochMilliseconds)
    return /^\d{4}-\d\d-\d\dT/.test(text) && isOfOurTime(Temporal.Instant.from(text).epochMilliseconds)
  } catch {
    return false
  }
}

const moment = writtenTime
  .refine(
    isMoment,
    'The :attribute must be a date (2026-04-20) or a timestamp with an offset (2026-04-20T09:30:00Z), from 1970 to 2199.',
  )
  .optional()

const NO_TIMEZONE = 'The :attribute must be a name of the IANA time zone database, such as Europe/Berlin.'

/** As the database of zones names it. */
const timezone = z.string().transform((name, context) => {
  const timezone = timezoneNamed(name)
  if (timezone === undefined) context.addIssue(NO_TIMEZONE)
  return timezone ?? z.NEVER
})

function timezoneNamed(name: string): string | undefined {
  // Temporal accepts offsets too, but an offset ignores daylight saving time.
  if (/^[+-]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const NO_LIMIT = `The :attribute must be an integer between 1 and ${LIMIT_MAX}.`

/** The parameters of analytics: their documentation, and how they are read. */
export const rangeParameters = z.object({
  timezone: timezone.default('UTC').meta({
    description: 'An IANA time zone for days and labels.',
    example: 'Europe/Berlin',
  }),
  from: moment.meta({
    description:
      'A date (its day begins in the time zone) or a timestamp with an offset. Not together with `period`.',
    example: '2026-04-01',
  }),
  to: moment.meta({
    description: 'A date (included) or a timestamp; now when absent.',
    example: '2026-04-30',
  }),
  period: choice(PERIODS)
    .optional()
    .meta({
      param: { example: '7d' },
      description:
        'Counted back from now, the running hour, day or month included. `30d` when neither it nor `from` nor `to` is sent.',
    }),
  granularity: choice(GRANULARITIES).optional().meta({
    description:
      'By the length of the range when absent. A week begins on Monday, and has no days outside of the range.',
  }),
  compare: choice(COMPARISONS)
    .optional()
    .meta({
      param: { example: 'previous' },
      description:
        'Adds the counts of the time before: `previous` is as long, `year` is the same one year earlier, by week 52 weeks. Only hours, days, weeks or months that are over are compared.',
    }),
  // Not clamped as the pages of a list are: a breakdown with fewer rows than requested would look complete.
  limit: z
    .int(NO_LIMIT)
    .min(1, NO_LIMIT)
    .max(LIMIT_MAX, NO_LIMIT)
    .default(LIMIT_DEFAULT)
    .meta({ description: 'Rows of a breakdown.' }),
})

export type RangeParameters = z.output<typeof rangeParameters>
