import { QUARTER_US, QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import type { Moments } from './lifetime-range.ts'
import type { COMPARISONS } from './range-parameters.ts'
import { cutStretch, quarterFrom, quarterStart, type TimeRange, type TimeRangeQuery } from './time-range.ts'

export type Comparison = {
  /** What it is compared with. */
  compare: (typeof COMPARISONS)[number]
  /** How many whole buckets are compared. */
  buckets: number
  /** These buckets. */
  now: TimeRange
  /** The same buckets one range or one year earlier; null if the owner did not exist for all of it, or there is no such time. */
  before: TimeRange | null
}

/**
 * Compares whole buckets only: of thirty days up to today, the 29 finished ones with the first 29 of the thirty before. Null
 * if none is finished, and for all time.
 */
export function compareRange(
  range: TimeRange,
  { compare = 'previous', period }: TimeRangeQuery,
  { nowUs, sinceUs }: Moments,
): Comparison | null {
  const buckets = wholeBuckets(range, nowUs)
  if (period === 'all' || buckets === 0) return null
  const toQuarter = range.buckets[buckets]?.fromQuarter ?? range.toQuarter
  const now = { ...range, toQuarter, buckets: range.buckets.slice(0, buckets) }
  const earlier = compare === 'year' ? oneYearBefore(range) : oneRangeBefore(range)
  const [from, to] = [earlier(range.fromQuarter), earlier(toQuarter)]
  // One month before March 29 and before March 31 is February 28.
  const isTime = from >= sinceUs / QUARTER_US && from < to
  const before = isTime ? cutStretch({ ...range, fromQuarter: from, toQuarter: to }) : null
  return { compare, buckets, now, before }
}

/** How many hours, days, weeks or months of a range are over. */
export function wholeBuckets({ buckets, toQuarter }: TimeRange, nowUs: number): number {
  const running = buckets.findIndex(
    (_, at) => (buckets[at + 1]?.fromQuarter ?? toQuarter) * QUARTER_US > nowUs,
  )
  return running === -1 ? buckets.length : running
}

/** One year earlier a week would begin on another day. */
const WEEKS_OF_YEAR = { weeks: 52 }

const oneYearBefore =
  ({ granularity, timezone }: TimeRange) =>
  (quarter: number): number => {
    const at = quarterStart(quarter, timezone)
    return quarterFrom(at.subtract(granularity === 'week' ? WEEKS_OF_YEAR : { years: 1 }))
  }

/**
 * By as many hours, days, weeks or months as the range has, or by the fewest that take its end to its start: of one that begins and
 * ends within some, these are fewer.
 */
function oneRangeBefore(range: TimeRange): (quarter: number) => number {
  let count = range.buckets.length
  while (count > 1 && bucketsBefore(range, range.toQuarter, count - 1) <= range.fromQuarter) count--
  return (quarter) => bucketsBefore(range, quarter, count)
}

/** The same moment by the calendar, because days with a clock change have 23 or 25 hours. */
function bucketsBefore({ granularity, timezone }: TimeRange, quarter: number, count: number): number {
  if (granularity === 'hour') return quarter - count * QUARTERS_OF_HOUR
  return quarterFrom(quarterStart(quarter, timezone).subtract({ [`${granularity}s`]: count }))
}
