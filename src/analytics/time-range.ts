import { HOUR_US, hourOf, isoMicroseconds } from '../clock.ts'
import { type FieldErrors, invalid } from '../refusal.ts'

export const PERIODS = ['24h', '7d', '30d', '90d', '12m', 'all'] as const
export const GRANULARITIES = ['hour', 'day', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]

/** A stretch of time cut into buckets of the caller's time zone. Counters are by UTC hour, so its ends are whole hours. */
export type TimeRange = {
  /** The first hour, since 1970 UTC. */
  fromHour: number
  /** The hour after the last. */
  toHour: number
  granularity: Granularity
  timezone: string
  /** In order; an hour belongs to the bucket that it begins in. */
  buckets: { label: string; fromHour: number }[]
}

/** Texts as they came in the query; undefined when absent. */
export type TimeRangeQuery = Record<'from' | 'to' | 'period' | 'granularity' | 'timezone', string | undefined>

/** Two years of hours would be a body of megabytes. */
const BUCKETS_MAX = 2_500

const PERIOD_LENGTHS: Record<Exclude<(typeof PERIODS)[number], 'all'>, Temporal.DurationLike> = {
  '24h': { hours: 23 },
  '7d': { days: 6 },
  '30d': { days: 29 },
  '90d': { days: 89 },
  '12m': { months: 11 },
}

/**
 * Reads which time is asked about. `period` counts back from now and includes the running hour, day or month;
 * `sinceUs` is where 'all' begins. Refused with every fault.
 */
export function readTimeRange(query: TimeRangeQuery, nowUs: number, sinceUs: number): TimeRange {
  const fields: FieldErrors = {}
  const timezone = readTimezone(query.timezone, fields)
  const now = zoned(nowUs, timezone)
  const granularity = oneOf(query.granularity, GRANULARITIES, 'granularity', fields)
  const period = oneOf(query.period, PERIODS, 'period', fields)
  if (query.period !== undefined && (query.from ?? query.to) !== undefined) {
    fields.period = ['The period cannot be combined with from and to.']
  }
  const to = readMoment(query.to, { name: 'to', timezone, dayEnds: true }, fields) ?? now
  const begin =
    readMoment(query.from, { name: 'from', timezone, dayEnds: false }, fields) ??
    startOf(period ?? '30d', to, sinceUs)
  if (fields.from === undefined && Temporal.ZonedDateTime.compare(begin, to) >= 0)
    fields.from ??= ['The from must be before the to.']
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const chosen = granularity ?? fittingGranularity(begin, to)
  const fromHour = hourOf(begin.epochMilliseconds * 1000)
  const toHour = Math.ceil((to.epochMilliseconds * 1000) / HOUR_US)
  return {
    fromHour,
    toHour,
    granularity: chosen,
    timezone,
    buckets: cut({ begin, toHour, fromHour }, chosen),
  }
}

/** What every answer about a stretch of time says of it. */
export function rangeMeta(range: TimeRange, totalClicks: number) {
  return {
    from: isoMicroseconds(range.fromHour * HOUR_US),
    to: isoMicroseconds(range.toHour * HOUR_US),
    granularity: range.granularity,
    timezone: range.timezone,
    total: totalClicks,
  }
}

function startOf(
  period: (typeof PERIODS)[number],
  to: Temporal.ZonedDateTime,
  sinceUs: number,
): Temporal.ZonedDateTime {
  if (period === 'all') {
    const since = zoned(sinceUs, to.timeZoneId)
    return (Temporal.ZonedDateTime.compare(since, to) < 0 ? since : to.subtract({ hours: 1 })).startOfDay()
  }
  const start = to.subtract(PERIOD_LENGTHS[period])
  if (period === '24h') return start.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  return (period === '12m' ? start.with({ day: 1 }) : start).startOfDay()
}

function fittingGranularity(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): Granularity {
  const hours = (to.epochMilliseconds - from.epochMilliseconds) / 3_600_000
  if (hours <= 48) return 'hour'
  return hours <= 24 * 120 ? 'day' : 'month'
}

type Stretch = { begin: Temporal.ZonedDateTime; fromHour: number; toHour: number }

function cut({ begin, fromHour, toHour }: Stretch, granularity: Granularity): TimeRange['buckets'] {
  const buckets: TimeRange['buckets'] = []
  for (let at = bucketStart(begin, granularity); ; at = at.add({ [`${granularity}s`]: 1 })) {
    const hour = Math.ceil(at.epochMilliseconds / 3_600_000)
    if (hour >= toHour) return buckets
    if (buckets.length === BUCKETS_MAX) {
      throw invalid({
        granularity: [`The range has more than ${BUCKETS_MAX} buckets: choose a coarser granularity.`],
      })
    }
    buckets.push({ label: labelOf(at, granularity), fromHour: Math.max(hour, fromHour) })
  }
}

function bucketStart(at: Temporal.ZonedDateTime, granularity: Granularity): Temporal.ZonedDateTime {
  if (granularity === 'hour') return at.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  return (granularity === 'month' ? at.with({ day: 1 }) : at).startOfDay()
}

/** `2026-04-20T14:00+02:00`, `2026-04-20` or `2026-04`. */
function labelOf(at: Temporal.ZonedDateTime, granularity: Granularity): string {
  if (granularity === 'hour') return at.toString({ smallestUnit: 'minute', timeZoneName: 'never' })
  return granularity === 'day' ? at.toPlainDate().toString() : at.toPlainDate().toPlainYearMonth().toString()
}

const zoned = (us: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(us / 1000)).toZonedDateTimeISO(timezone)

function readTimezone(text: string | undefined, fields: FieldErrors): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    fields.timezone = ['The timezone must be a name of the IANA time zone database, such as Europe/Berlin.']
    return 'UTC'
  }
}

function oneOf<Value extends string>(
  text: string | undefined,
  values: readonly Value[],
  ...[name, fields]: [string, FieldErrors]
): Value | undefined {
  if (text === undefined || values.includes(text as Value)) return text as Value | undefined
  fields[name] = [`The ${name} must be one of ${values.join(', ')}.`]
  return undefined
}

type MomentRules = { name: 'from' | 'to'; timezone: string; dayEnds: boolean }

/** A date (its whole day, in the time zone) or a timestamp with offset. */
function readMoment(
  text: string | undefined,
  { name, timezone, dayEnds }: MomentRules,
  fields: FieldErrors,
): Temporal.ZonedDateTime | undefined {
  if (text === undefined) return undefined
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) {
      const day = Temporal.PlainDate.from(text).toZonedDateTime(timezone)
      return dayEnds ? day.add({ days: 1 }) : day
    }
    if (/^\d{4}-\d\d-\d\dT/.test(text)) return Temporal.Instant.from(text).toZonedDateTimeISO(timezone)
  } catch {
    // Not a moment that exists: refused below like any other text.
  }
  fields[name] = [
    `The ${name} must be a date (2026-04-20) or a timestamp with an offset (2026-04-20T09:30:00Z).`,
  ]
  return undefined
}
