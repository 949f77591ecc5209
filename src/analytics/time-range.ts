import { HOUR_US, hourOf, isoMicroseconds } from '../runtime/clock.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { type GRANULARITIES, isDate, type PERIODS, type RangeParameters } from './range-parameters.ts'

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

export type TimeRangeQuery = Omit<RangeParameters, 'limit'>

const HOUR_MS = HOUR_US / 1000

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

/** The requested range, divided into buckets. */
export const readTimeRange = (query: TimeRangeQuery, nowUs: number, sinceUs: number): TimeRange =>
  cutStretch(readStretch(query, nowUs, sinceUs))

/**
 * The requested range. `period` counts back from now and includes the running hour, day or month; `sinceUs` is where 'all'
 * begins. A refusal lists every error.
 */
export function readStretch(query: TimeRangeQuery, nowUs: number, sinceUs: number): Stretch {
  const { timezone, granularity, period } = query
  const fields: FieldErrors = {}
  if (period !== undefined && (query.from ?? query.to) !== undefined) {
    fields.period = ['The period cannot be combined with from and to.']
  }
  const now: Moment = { us: nowUs, hour: hourOf(nowUs) + 1 }
  const from = query.from === undefined ? undefined : startAt(query.from, timezone)
  const to = query.to === undefined ? now : endAt(query.to, timezone)
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

// A date is its whole day in the time zone, a timestamp the hour it is in. A day has the hours that begin in it, so days never
// overlap where midnight is not on a UTC hour.

function startAt(text: string, timezone: string): Moment {
  if (isDate(text)) return midnight(Temporal.PlainDate.from(text), timezone)
  const us = microsecondsOf(text)
  return { us, hour: hourOf(us) }
}

function endAt(text: string, timezone: string): Moment {
  if (isDate(text)) return midnight(Temporal.PlainDate.from(text).add({ days: 1 }), timezone)
  const us = microsecondsOf(text)
  return { us, hour: Math.ceil(us / HOUR_US) }
}

function midnight(day: Temporal.PlainDate, timezone: string): Moment {
  const start = day.toZonedDateTime(timezone)
  return { us: start.epochMilliseconds * 1000, hour: hourFrom(start) }
}

const microsecondsOf = (timestamp: string) => Temporal.Instant.from(timestamp).epochMilliseconds * 1000
