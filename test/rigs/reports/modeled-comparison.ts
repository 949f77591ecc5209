import { cutRange, type ModeledRange, type RangeParameters, zoneTime } from './modeled-range.ts'

type Moments = { nowUs: number; sinceUs: number }

const QUARTER_US = 900_000_000

/** How many hours, days, weeks or months of the range are over. */
export function bucketsOver({ buckets, toQuarter }: ModeledRange, nowUs: number): number {
  const ends = buckets.map((_, at) => buckets[at + 1]?.fromQuarter ?? toQuarter)
  return ends.filter((end) => end * QUARTER_US <= nowUs).length
}

/** What is over of the range, and the time that it is compared with; null where nothing is compared. */
export function modelComparison(
  range: ModeledRange,
  { compare, period }: RangeParameters,
  { nowUs, sinceUs }: Moments,
): { now: ModeledRange; before: ModeledRange } | null {
  const over = bucketsOver(range, nowUs)
  if (period === 'all' || over === 0) return null
  const toQuarter = range.buckets[over]?.fromQuarter ?? range.toQuarter
  const now = { ...range, toQuarter, buckets: range.buckets.slice(0, over) }
  const [from, to] = [range.fromQuarter, toQuarter].map((quarter) =>
    compare === 'year' ? oneYearBefore(range, quarter) : oneRangeBefore(range, quarter),
  ) as [number, number]
  return from * QUARTER_US < sinceUs || from >= to
    ? null
    : { now, before: cutRange({ ...range, fromQuarter: from, toQuarter: to }) }
}

/** By the fewest hours, days, weeks or months with which it is over when the range begins, but by no more than the range has. */
function oneRangeBefore(range: ModeledRange, quarter: number): number {
  let count = 1
  while (count < range.buckets.length && bucketsBefore(range, range.toQuarter, count) > range.fromQuarter)
    count++
  return bucketsBefore(range, quarter, count)
}

function bucketsBefore(range: ModeledRange, quarter: number, count: number): number {
  if (range.granularity === 'hour') return quarter - 4 * count
  if (range.granularity === 'month') return monthsBefore(range, quarter, count)
  return daysBefore(range, quarter, count * (range.granularity === 'week' ? 7 : 1))
}

const oneYearBefore = (range: ModeledRange, quarter: number): number =>
  range.granularity === 'week' ? daysBefore(range, quarter, 52 * 7) : monthsBefore(range, quarter, 12)

/** At the same time of the local clock. */
function daysBefore({ timezone }: ModeledRange, quarter: number, days: number): number {
  const zone = zoneTime(timezone)
  return zone.quarterAt(zone.minutesAt(quarter) - days * 1_440)
}

/** At the same time of the same day, or of the last day of a shorter month. */
function monthsBefore({ timezone }: ModeledRange, quarter: number, months: number): number {
  const zone = zoneTime(timezone)
  const local = new Date(zone.minutesAt(quarter) * 60_000)
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() - months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Date.UTC(year, month, Math.min(local.getUTCDate(), lastDay))
  return zone.quarterAt(day / 60_000 + local.getUTCHours() * 60 + local.getUTCMinutes())
}
