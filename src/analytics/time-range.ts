import { HOUR_US, hourOf, isoMicroseconds } from '../runtime/clock.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'

export const PERIODS = ['24h', '7d', '30d', '90d', '12m', 'all'] as const
export const GRANULARITIES = ['hour', 'day', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]

/** A time range divided into buckets of the caller's time zone. Counters are by UTC hour, so it begins and ends on one. */
export type TimeRange = {
  /** The first hour, since 1970 UTC. */
  fromHour: number
  /** The hour after the last. */
  toHour: number
  granularity: Granularity
  timezone: string
  /** In order. An hour belongs to the bucket in which it begins. */
  buckets: { label: string; fromHour: number }[]
}

/** Query parameters as they were sent; undefined if absent. */
export type TimeRangeQuery = Record<'from' | 'to' | 'period' | 'granularity' | 'timezone', string | undefined>

const HOUR_MS = HOUR_US / 1000

/** 1970 to 2200, where microseconds are exact numbers. */
const LATEST_MS = Date.UTC(2200, 0)
const isOfOurTime = (ms: number): boolean => ms >= 0 && ms < LATEST_MS

/** Two years of hours would make a response of megabytes. */
export const BUCKETS_MAX = 2_500

const PERIOD_LENGTHS: Record<Exclude<(typeof PERIODS)[number], 'all'>, Temporal.DurationLike> = {
  '24h': { hours: 23 },
  '7d': { days: 6 },
  '30d': { days: 29 },
  '90d': { days: 89 },
  '12m': { months: 11 },
}

/** A requested moment, and the whole hour at which the range therefore begins or ends. */
type Moment = { us: number; hour: number }

type Hours = Pick<TimeRange, 'fromHour' | 'toHour' | 'timezone'>

/** A range before it is divided. The granularity is undefined if it follows from the length. */
export type Stretch = Hours & {
  granularity: Granularity | undefined
}

/** Parses the requested range and divides it into buckets. */
export const readTimeRange = (query: TimeRangeQuery, nowUs: number, sinceUs: number): TimeRange =>
  cutStretch(readStretch(query, nowUs, sinceUs))

/**
 * Parses the requested range. `period` counts back from now and includes the running hour, day or month; `sinceUs` is where
 * 'all' begins. A refusal lists every error.
 */
export function readStretch(query: TimeRangeQuery, nowUs: number, sinceUs: number): Stretch {
  const fields: FieldErrors = {}
  const timezone = readTimezone(query.timezone, fields)
  const granularity = oneOf(query.granularity, GRANULARITIES, 'granularity', fields)
  const period = oneOf(query.period, PERIODS, 'period', fields)
  if (query.period !== undefined && (query.from ?? query.to) !== undefined) {
    fields.period = ['The period cannot be combined with from and to.']
  }
  const now: Moment = { us: nowUs, hour: hourOf(nowUs) + 1 }
  const from = readMoment(query.from, { name: 'from', timezone, isEnd: false }, fields)
  const to = readMoment(query.to, { name: 'to', timezone, isEnd: true }, fields) ?? now
  if (from !== undefined && from.us >= to.us) fields.from = ['The start must be before the end.']
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const fromHour =
    from?.hour ?? hourFrom(startOf(period ?? '30d', hourStart(to.hour - 1, timezone), hourOf(sinceUs)))
  // A day that began half an hour ago may have no whole hour yet.
  return { fromHour, toHour: Math.max(to.hour, fromHour + 1), timezone, granularity }
}

export function cutStretch({ granularity, ...stretch }: Stretch): TimeRange {
  const chosen = granularity ?? fittingGranularity(stretch.toHour - stretch.fromHour)
  return { ...stretch, granularity: chosen, buckets: cut(stretch, chosen) }
}

/** The description of the range in every response. */
export function rangeMeta(range: TimeRange, totalClicks: number) {
  return {
    from: isoMicroseconds(range.fromHour * HOUR_US),
    to: isoMicroseconds(range.toHour * HOUR_US),
    granularity: range.granularity,
    timezone: range.timezone,
    total: totalClicks,
  }
}

/** The first hour of a period with the given last hour. */
function startOf(
  period: (typeof PERIODS)[number],
  last: Temporal.ZonedDateTime,
  sinceHour: number,
): Temporal.ZonedDateTime {
  if (period === 'all') return hourStart(Math.min(sinceHour, hourFrom(last)), last.timeZoneId).startOfDay()
  const start = last.subtract(PERIOD_LENGTHS[period])
  if (period === '24h') return start
  return (period === '12m' ? start.with({ day: 1 }) : start).startOfDay()
}

export function fittingGranularity(hours: number): Granularity {
  if (hours <= 48) return 'hour'
  return hours <= 24 * 120 ? 'day' : 'month'
}

function cut(stretch: Hours, granularity: Granularity): TimeRange['buckets'] {
  return granularity === 'hour' ? hourBuckets(stretch) : calendarBuckets(stretch, granularity)
}

/** Counted hours are those of UTC. In a zone that is not whole hours from UTC they begin at half past or quarter past. */
function hourBuckets({ fromHour, toHour, timezone }: Hours): TimeRange['buckets'] {
  if (toHour - fromHour > BUCKETS_MAX) throw tooManyBuckets()
  return Array.from({ length: toHour - fromHour }, (_, i) => {
    const start = hourStart(fromHour + i, timezone)
    const label = start.toString({ smallestUnit: 'minute', timeZoneName: 'never' })
    return { label, fromHour: fromHour + i }
  })
}

function calendarBuckets(
  { fromHour, toHour, timezone }: Hours,
  granularity: 'day' | 'month',
): TimeRange['buckets'] {
  const buckets: TimeRange['buckets'] = []
  let at = bucketStart(hourStart(fromHour, timezone), granularity)
  while (hourFrom(at) < toHour) {
    if (buckets.length === BUCKETS_MAX) throw tooManyBuckets()
    buckets.push({ label: labelOf(at, granularity), fromHour: Math.max(hourFrom(at), fromHour) })
    // Computed again each time: after a day without a midnight, all later days would begin as late as that one.
    at = at.add({ [`${granularity}s`]: 1 }).startOfDay()
  }
  return buckets
}

const tooManyBuckets = () =>
  invalid({
    granularity: [`The range has more than ${BUCKETS_MAX} buckets: choose a coarser granularity.`],
  })

const bucketStart = (at: Temporal.ZonedDateTime, granularity: 'day' | 'month'): Temporal.ZonedDateTime =>
  (granularity === 'month' ? at.with({ day: 1 }) : at).startOfDay()

/** `2026-04-20` or `2026-04`; an hour is `2026-04-20T14:00+02:00`. */
const labelOf = (at: Temporal.ZonedDateTime, granularity: 'day' | 'month'): string =>
  granularity === 'day' ? at.toPlainDate().toString() : at.toPlainDate().toPlainYearMonth().toString()

export const hourStart = (hour: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(hour * HOUR_MS).toZonedDateTimeISO(timezone)

/** The first whole hour that begins at or after the moment. */
export const hourFrom = (at: Temporal.ZonedDateTime): number => Math.ceil(at.epochMilliseconds / HOUR_MS)

function readTimezone(text: string | undefined, fields: FieldErrors): string {
  const timezone = timezoneNamed(text ?? 'UTC')
  if (timezone === undefined) {
    fields.timezone = ['The timezone must be a name of the IANA time zone database, such as Europe/Berlin.']
  }
  return timezone ?? 'UTC'
}

function timezoneNamed(name: string): string | undefined {
  // Temporal accepts offsets too, but an offset ignores daylight saving time.
  if (/^[+-]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
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

const PLAIN_NAMES = { from: 'start', to: 'end' }

type MomentRules = { name: 'from' | 'to'; timezone: string; isEnd: boolean }

/**
 * A date (its whole day in the time zone) or a timestamp with offset (the hour it is in). A day has the hours that begin in
 * it, so days never overlap where midnight is not on a UTC hour.
 */
function readMoment(
  text: string | undefined,
  { name, timezone, isEnd }: MomentRules,
  fields: FieldErrors,
): Moment | undefined {
  if (text === undefined) return undefined
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) {
      const day = Temporal.PlainDate.from(text).add({ days: isEnd ? 1 : 0 })
      const start = day.toZonedDateTime(timezone)
      if (isOfOurTime(start.epochMilliseconds))
        return { us: start.epochMilliseconds * 1000, hour: hourFrom(start) }
    }
    if (/^\d{4}-\d\d-\d\dT/.test(text)) {
      const us = Temporal.Instant.from(text).epochMilliseconds * 1000
      if (isOfOurTime(us / 1000)) return { us, hour: isEnd ? Math.ceil(us / HOUR_US) : hourOf(us) }
    }
  } catch {
    // No such moment; refused below.
  }
  fields[name] = [
    `The ${PLAIN_NAMES[name]} must be a date (2026-04-20) or a timestamp with an offset (2026-04-20T09:30:00Z).`,
  ]
  return undefined
}
