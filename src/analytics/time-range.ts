import { isoMicroseconds, QUARTER_US, quarterOf, QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { type GRANULARITIES, isDate, type PERIODS, type RangeParameters } from './range-parameters.ts'

export type Granularity = (typeof GRANULARITIES)[number]
type CalendarGranularity = Exclude<Granularity, 'hour'>

/** A time range divided into buckets of the caller's time zone. It begins and ends on a quarter of an hour, as every day of every zone does. */
export type TimeRange = {
  /** The first quarter of an hour, since 1970 UTC. */
  fromQuarter: number
  /** The quarter after the last. */
  toQuarter: number
  granularity: Granularity
  timezone: string
  /** In order. */
  buckets: { label: string; fromQuarter: number }[]
}

export type TimeRangeQuery = Omit<RangeParameters, 'limit'>

const QUARTER_MS = QUARTER_US / 1000

/** Two years of hours would make a response of megabytes. */
export const BUCKETS_MAX = 2_500

const PERIOD_LENGTHS: Record<Exclude<(typeof PERIODS)[number], 'all'>, Temporal.DurationLike> = {
  '24h': { hours: 23 },
  '7d': { days: 6 },
  '30d': { days: 29 },
  '90d': { days: 89 },
  '12m': { months: 11 },
}

/** A requested moment, and the quarter of an hour at which the range therefore begins or ends. */
type Moment = { us: number; quarter: number }

type Span = Pick<TimeRange, 'fromQuarter' | 'toQuarter' | 'timezone'>

/** A range before it is divided. The granularity is undefined if it follows from the length. */
export type Stretch = Span & {
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
  const runningHour = hourOfZone(nowUs, timezone)
  const now: Moment = { us: nowUs, quarter: quarterFrom(nextHour(runningHour)) }
  const from = query.from === undefined ? undefined : startAt(query.from, timezone)
  const to = query.to === undefined ? now : endAt(query.to, timezone)
  if (from !== undefined && from.us >= to.us) fields.from = ['The start must be before the end.']
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const lastHour = hourOfZone(to.quarter * QUARTER_US - 1, timezone)
  const fromQuarter = from?.quarter ?? quarterFrom(startOf(period ?? '30d', lastHour, sinceUs))
  return { fromQuarter, toQuarter: to.quarter, timezone, granularity }
}

export function cutStretch({ granularity, ...stretch }: Stretch): TimeRange {
  const step = granularity ?? fittingGranularity(stretch)
  return { ...stretch, granularity: step, buckets: cut(stretch, step) }
}

/** The description of the range in every response. */
export function rangeMeta(range: TimeRange, totalClicks: number) {
  return {
    from: isoMicroseconds(range.fromQuarter * QUARTER_US),
    to: isoMicroseconds(range.toQuarter * QUARTER_US),
    granularity: range.granularity,
    timezone: range.timezone,
    total: totalClicks,
  }
}

/** The start of a period with the given last hour. */
function startOf(
  period: (typeof PERIODS)[number],
  last: Temporal.ZonedDateTime,
  sinceUs: number,
): Temporal.ZonedDateTime {
  if (period === 'all') {
    const first = quarterStart(quarterOf(sinceUs), last.timeZoneId)
    return (Temporal.ZonedDateTime.compare(first, last) < 0 ? first : last).startOfDay()
  }
  const start = last.subtract(PERIOD_LENGTHS[period])
  if (period === '24h') return start
  return (period === '12m' ? start.with({ day: 1 }) : start).startOfDay()
}

export function fittingGranularity({ fromQuarter, toQuarter }: Omit<Span, 'timezone'>): Granularity {
  const hours = (toQuarter - fromQuarter) / QUARTERS_OF_HOUR
  if (hours <= 48) return 'hour'
  return hours <= 24 * 120 ? 'day' : 'month'
}

function cut(stretch: Span, granularity: Granularity): TimeRange['buckets'] {
  return granularity === 'hour' ? hourBuckets(stretch) : calendarBuckets(stretch, granularity)
}

/** Hours of the time zone. A clock that changes by half an hour leaves half of one. */
function hourBuckets({ fromQuarter, toQuarter, timezone }: Span): TimeRange['buckets'] {
  if (toQuarter - fromQuarter > BUCKETS_MAX * QUARTERS_OF_HOUR) throw tooManyBuckets()
  const buckets: TimeRange['buckets'] = []
  let at = hourOfZone(fromQuarter * QUARTER_US, timezone)
  while (quarterFrom(at) < toQuarter) {
    const label = at.toString({ smallestUnit: 'minute', timeZoneName: 'never' })
    buckets.push({ label, fromQuarter: Math.max(quarterFrom(at), fromQuarter) })
    at = nextHour(at)
  }
  return buckets
}

function calendarBuckets(
  { fromQuarter, toQuarter, timezone }: Span,
  granularity: CalendarGranularity,
): TimeRange['buckets'] {
  const buckets: TimeRange['buckets'] = []
  let at = bucketStart(quarterStart(fromQuarter, timezone), granularity)
  while (quarterFrom(at) < toQuarter) {
    if (buckets.length === BUCKETS_MAX) throw tooManyBuckets()
    buckets.push({
      label: labelOf(at, granularity),
      fromQuarter: Math.max(quarterFrom(at), fromQuarter),
    })
    // Computed again each time: after a day without a midnight, all later days would begin as late as that one.
    at = at.add({ [`${granularity}s`]: 1 }).startOfDay()
  }
  return buckets
}

const tooManyBuckets = () =>
  invalid({
    granularity: [`The range has more than ${BUCKETS_MAX} buckets: choose a coarser granularity.`],
  })

function bucketStart(at: Temporal.ZonedDateTime, granularity: CalendarGranularity): Temporal.ZonedDateTime {
  if (granularity === 'month') return at.with({ day: 1 }).startOfDay()
  return (granularity === 'week' ? at.subtract({ days: at.dayOfWeek - 1 }) : at).startOfDay()
}

/** `2026-04-20`, of a week its Monday, or `2026-04`; an hour is `2026-04-20T14:00+02:00`. */
const labelOf = (at: Temporal.ZonedDateTime, granularity: CalendarGranularity): string =>
  granularity === 'month' ? at.toPlainDate().toPlainYearMonth().toString() : at.toPlainDate().toString()

export const quarterStart = (quarter: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS).toZonedDateTimeISO(timezone)

/** The first quarter of an hour that begins at or after the moment. */
export const quarterFrom = (at: Temporal.ZonedDateTime): number =>
  Math.ceil(at.epochMilliseconds / QUARTER_MS)

/** The start of the time zone's hour that holds the moment; of the half hour, where a clock changes by half an hour. */
export function hourOfZone(us: number, timezone: string): Temporal.ZonedDateTime {
  const moment = quarterStart(quarterOf(us), timezone)
  let start = hourOfClock(moment)
  // The hour before, where the clock has jumped over the full hour: that one would be later.
  if (Temporal.ZonedDateTime.compare(start, moment) > 0) start = hourOfClock(moment.subtract({ hours: 1 }))
  for (let next = nextHour(start); Temporal.ZonedDateTime.compare(next, moment) <= 0; next = nextHour(start))
    start = next
  return start
}

const hourOfClock = (at: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  at.round({ smallestUnit: 'hour', roundingMode: 'floor' })

export const nextHour = (start: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  start.minute === 0 ? start.add({ hours: 1 }) : start.round({ smallestUnit: 'hour', roundingMode: 'ceil' })

// A date is its whole day in the time zone, a timestamp the quarter of an hour it is in.

function startAt(text: string, timezone: string): Moment {
  if (isDate(text)) return midnight(Temporal.PlainDate.from(text), timezone)
  const us = microsecondsOf(text)
  return { us, quarter: quarterOf(us) }
}

function endAt(text: string, timezone: string): Moment {
  if (isDate(text)) return midnight(Temporal.PlainDate.from(text).add({ days: 1 }), timezone)
  const us = microsecondsOf(text)
  return { us, quarter: Math.ceil(us / QUARTER_US) }
}

function midnight(day: Temporal.PlainDate, timezone: string): Moment {
  const start = day.toZonedDateTime(timezone)
  return { us: start.epochMilliseconds * 1000, quarter: quarterFrom(start) }
}

const microsecondsOf = (timestamp: string) => Temporal.Instant.from(timestamp).epochMilliseconds * 1000
