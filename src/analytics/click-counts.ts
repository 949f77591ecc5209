import type { Dimension } from '../store/click-dimensions.ts'
import { QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import {
  type ClickCounts,
  type ClickScope,
  countClicks,
  countClicksOfHours,
  countValueOfHours,
  limitOf,
  type Limits,
  type QuarterCount,
  type ValueCount,
} from './count-clicks.ts'
import type { TimeRange } from './time-range.ts'

export type SeriesPoint = ClickCounts & { label: string }
export type BreakdownRow = { value: string; clicks: number; percentage: number }

type Reported<Name extends Dimension> = Limits & {
  range: TimeRange
  dimensions: readonly Name[]
  limit: number
}

export type ClickReport<Name extends Dimension> = {
  /** The counts of every bucket of the range, zeros included. */
  series: SeriesPoint[]
  /** The values of each dimension, most clicks first. Percentages are of all clicks in the range. */
  breakdowns: Record<Name, BreakdownRow[]>
}

/** Series and breakdowns of the same clicks. */
export async function clickReport<Name extends Dimension>(
  queries: ClickQueries,
  scope: ClickScope,
  { range, ...counted }: Reported<Name>,
): Promise<ClickReport<Name>> {
  const { steps, values } = isKept(scope, range)
    ? await countClicksOfHours(queries.db, scope.workspaceId, { range, ...counted })
    : await countClicks(queries, scope, { range, stepQuarters: stepOf(range), ...counted })
  const breakdowns = counted.dimensions.map((name) => [
    name,
    breakdownOf(values, name).slice(0, limitOf(name, counted)),
  ])
  return {
    series: seriesOf(range, steps),
    breakdowns: Object.fromEntries(breakdowns) as Record<Name, BreakdownRow[]>,
  }
}

export async function clickSeries(
  queries: ClickQueries,
  scope: ClickScope,
  range: TimeRange,
): Promise<SeriesPoint[]> {
  return (await clickReport(queries, scope, { range, dimensions: [], limit: 0 })).series
}

type Value = { range: TimeRange; dimension: Dimension; value: string }

/** The clicks with one value of a dimension in every bucket of the range. Not for what most clicks have. */
export async function clicksOfValue(
  queries: ClickQueries,
  scope: ClickScope,
  { range, dimension, value }: Value,
): Promise<number[]> {
  const filter = scope.filters?.[dimension]
  if (filter !== undefined && filter.values.includes(value) === (filter.isNegated ?? false))
    return range.buckets.map(() => 0)
  const filters = { ...scope.filters, [dimension]: { values: [value] } }
  const steps = isKept(scope, range)
    ? await countValueOfHours(queries.db, scope.workspaceId, { range, dimension, value })
    : (await countClicks(queries, { ...scope, filters }, { range, stepQuarters: stepOf(range) })).steps
  return seriesOf(range, steps).map(({ clicks }) => clicks)
}

function seriesOf(range: TimeRange, steps: readonly QuarterCount[]): SeriesPoint[] {
  const points = range.buckets.map(({ label }) => ({ label, clicks: 0, visitors: 0, bots: 0 }))
  let bucket = 0
  for (const { quarter, clicks, visitors, bots } of steps) {
    while ((range.buckets[bucket + 1]?.fromQuarter ?? Infinity) <= quarter) bucket++
    const point = points[bucket]!
    point.clicks += clicks
    point.visitors += visitors
    point.bots += bots
  }
  return points
}

const breakdownOf = (values: readonly ValueCount[], name: Dimension): BreakdownRow[] =>
  values
    .filter(({ dimension }) => dimension === name)
    .map(({ value, clicks, total }) => ({
      value,
      clicks,
      percentage: percentageOf(clicks, total),
    }))

/** With two decimals. */
export const percentageOf = (clicks: number, total: number): number =>
  Math.round((clicks / total) * 10_000) / 100

export function sumSeries(points: readonly ClickCounts[]): ClickCounts {
  const sum = { clicks: 0, visitors: 0, bots: 0 }
  for (const { clicks, visitors, bots } of points) {
    sum.clicks += clicks
    sum.visitors += visitors
    sum.bots += bots
  }
  return sum
}

/** The kept counters of a workspace answer at once, but only for whole hours of UTC and without filters. */
const isKept = (
  { linkId, links, filters }: ClickScope,
  { fromQuarter, toQuarter, buckets }: TimeRange,
): boolean =>
  linkId === undefined &&
  links === undefined &&
  filters === undefined &&
  [fromQuarter, toQuarter, ...buckets.map((bucket) => bucket.fromQuarter)].every(
    (quarter) => quarter % QUARTERS_OF_HOUR === 0,
  )

/** The longest step that every bucket has a whole number of: a day, an hour where clocks change, a quarter of one at the least. */
function stepOf({ fromQuarter, toQuarter, buckets }: TimeRange): number {
  const lengths = [...buckets.map((bucket) => bucket.fromQuarter), toQuarter].map(
    (quarter) => quarter - fromQuarter,
  )
  return lengths.reduce(greatestCommonDivisor, 0)
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)
