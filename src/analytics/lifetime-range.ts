import { HOUR_US, hourOf } from '../runtime/clock.ts'
import { GRANULARITIES } from './range-parameters.ts'
import {
  BUCKETS_MAX,
  cutStretch,
  fittingGranularity,
  type Granularity,
  hourFrom,
  hourStart,
  readStretch,
  type TimeRange,
  type TimeRangeQuery,
} from './time-range.ts'

/** `sinceUs`: when the link, or the workspace, was created. */
export type Moments = { nowUs: number; sinceUs: number }

/** A range as charts show it: not before its owner was created, and not in the future. */
export type LifetimeRange = TimeRange & {
  /** The granularity if none is requested. */
  automatic: Granularity
  /** The granularities that do not give too many buckets. */
  possible: Granularity[]
  /** The owner was created after the start of the requested range. */
  beginsAtCreation: boolean
  /** The bucket that is not over yet; null if all are. */
  runningBucket: number | null
}

const HOURS_OF: Record<Granularity, number> = { hour: 1, day: 24, month: 24 * 28 }

/** A granularity that gives too many buckets is replaced by the automatic one. */
export function lifetimeRange(query: TimeRangeQuery, { nowUs, sinceUs }: Moments): LifetimeRange {
  const stretch = readStretch(query, nowUs, sinceUs)
  const [createdHour, nowHour] = [hourOf(sinceUs), hourOf(nowUs)]
  const beginsAtCreation = stretch.fromHour < createdHour && createdHour < stretch.toHour
  const fromHour = beginsAtCreation ? createdHour : stretch.fromHour
  const includesNow = fromHour <= nowHour && nowHour < stretch.toHour
  const toHour = includesNow ? nowHour + 1 : stretch.toHour
  const automatic = fittingGranularity(toHour - fromHour)
  const possible = GRANULARITIES.filter((each) => bucketsMostly(toHour - fromHour, each) <= BUCKETS_MAX)
  const granularity = possible.find((each) => each === stretch.granularity) ?? automatic
  const range = cutStretch({ ...stretch, fromHour, toHour, granularity })
  return {
    ...range,
    automatic,
    possible,
    beginsAtCreation: beginsAtCreation && query.period !== 'all',
    runningBucket: includesNow ? range.buckets.length - 1 : null,
  }
}

/** Plus one for a partial bucket. */
const bucketsMostly = (hours: number, granularity: Granularity): number =>
  Math.ceil(hours / HOURS_OF[granularity]) + 1

export type Comparison = {
  /** How many whole buckets are compared. */
  buckets: number
  /** The same buckets one range earlier; null if the owner did not exist for all of it. */
  before: TimeRange | null
}

/**
 * Compares whole buckets only: of thirty days up to today, the 29 finished ones with the first 29 of the thirty before. Null
 * if none is finished, and for all time.
 */
export function compareRange(
  range: LifetimeRange,
  query: TimeRangeQuery,
  { nowUs, sinceUs }: Moments,
): Comparison | null {
  const isFuture = range.fromHour > hourOf(nowUs)
  const buckets = range.buckets.length - (range.runningBucket === null ? 0 : 1)
  if (query.period === 'all' || isFuture || buckets === 0) return null
  const endHour = range.runningBucket === null ? range.toHour : range.buckets.at(-1)!.fromHour
  const fromHour = earlier(range, range.fromHour)
  if (range.beginsAtCreation || fromHour < sinceUs / HOUR_US) return { buckets, before: null }
  return { buckets, before: oneBucket(range, fromHour, earlier(range, endHour)) }
}

/** The same moment one range earlier, by the calendar, because days with a clock change have 23 or 25 hours. */
function earlier({ buckets, granularity, timezone }: TimeRange, hour: number): number {
  if (granularity === 'hour') return hour - buckets.length
  return hourFrom(hourStart(hour, timezone).subtract({ [`${granularity}s`]: buckets.length }))
}

/** From midnight in the time zone up to now. */
export function todayRange({ timezone }: Pick<TimeRange, 'timezone'>, nowUs: number): TimeRange {
  const now = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowUs / 1000)).toZonedDateTimeISO(timezone)
  const midnight = hourFrom(now.startOfDay())
  // A day that began half an hour ago may have no whole hour yet.
  const toHour = Math.max(hourOf(nowUs), midnight) + 1
  return oneBucket({ timezone, granularity: 'day' }, midnight, toHour)
}

const oneBucket = (
  { timezone, granularity }: Pick<TimeRange, 'timezone' | 'granularity'>,
  fromHour: number,
  toHour: number,
): TimeRange => ({ fromHour, toHour, timezone, granularity, buckets: [{ label: '', fromHour }] })
