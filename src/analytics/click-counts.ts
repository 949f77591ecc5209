import { type Dimension, WHOLE_DIMENSIONS } from '../clicks/facts/dimensions.ts'
import { QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import {
  type ByValue,
  type ClickCounts,
  type ClickScope,
  countByStep,
  countByValue,
  countByValueOfHours,
  type QuarterCount,
  type Quarters,
  type ValueCount,
} from './count-clicks.ts'
import type { TimeRange } from './time-range.ts'

export type SeriesPoint = ClickCounts & { label: string }
export type BreakdownRow = { value: string; clicks: number; percentage: number }

/** The counts of every bucket of the range, zeros included. */
export async function clickSeries(
  queries: ClickQueries,
  scope: ClickScope,
  range: TimeRange,
): Promise<SeriesPoint[]> {
  const points = range.buckets.map(({ label }) => ({ label, clicks: 0, visitors: 0, bots: 0 }))
  let bucket = 0
  for (const { quarter, clicks, visitors, bots } of await countsByTime(queries, scope, range)) {
    while ((range.buckets[bucket + 1]?.fromQuarter ?? Infinity) <= quarter) bucket++
    const point = points[bucket]!
    point.clicks += clicks
    point.visitors += visitors
    point.bots += bots
  }
  return points
}

export function sumSeries(points: readonly ClickCounts[]): ClickCounts {
  const sum = { clicks: 0, visitors: 0, bots: 0 }
  for (const { clicks, visitors, bots } of points) {
    sum.clicks += clicks
    sum.visitors += visitors
    sum.bots += bots
  }
  return sum
}

/** The values of each dimension, most clicks first. Percentages are of all clicks in the range. */
export async function clickBreakdowns<Name extends Dimension>(
  queries: ClickQueries,
  scope: ClickScope,
  { range, dimensions, limit }: { range: TimeRange; dimensions: readonly Name[]; limit: number },
): Promise<Record<Name, BreakdownRow[]>> {
  const rows = await countsByValue(queries, scope, { range, dimensions, limit })
  const breakdownOf = (name: Name) =>
    rows
      .filter(({ dimension }) => dimension === name)
      .map(({ value, clicks, total }) => ({
        value,
        clicks,
        percentage: Math.round((clicks / total) * 10_000) / 100,
      }))
  const breakdowns = dimensions.map((name) => [name, breakdownOf(name)] as const)
  return Object.fromEntries(breakdowns) as Record<Name, BreakdownRow[]>
}

/** The kept counters of a workspace answer at once, but only for whole hours of UTC. */
const hasWholeHours = ({ fromQuarter, toQuarter, buckets }: TimeRange): boolean =>
  [fromQuarter, toQuarter, ...buckets.map((bucket) => bucket.fromQuarter)].every(
    (quarter) => quarter % QUARTERS_OF_HOUR === 0,
  )

function countsByTime(queries: ClickQueries, scope: ClickScope, range: TimeRange): Promise<QuarterCount[]> {
  if (scope.linkId !== undefined || !hasWholeHours(range))
    return countByStep(queries, scope, { range, stepQuarters: stepOf(range) })
  return countsOfHours(queries.db, scope.workspaceId, range)
}

/** The longest step that every bucket has a whole number of: a day, an hour where clocks change, a quarter of one at the least. */
function stepOf({ fromQuarter, toQuarter, buckets }: TimeRange): number {
  const lengths = [...buckets.map((bucket) => bucket.fromQuarter), toQuarter].map(
    (quarter) => quarter - fromQuarter,
  )
  return lengths.reduce(greatestCommonDivisor, 0)
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

async function countsOfHours(db: ReadOnlyDb, workspaceId: number, range: Quarters): Promise<QuarterCount[]> {
  const rows = await db
    .selectFrom('workspace_hours')
    .select(['hour', 'clicks', 'visitors', 'bots'])
    .where('workspace_id', '=', workspaceId)
    .where('dimension', '=', 'total')
    .where('hour', '>=', range.fromQuarter / QUARTERS_OF_HOUR)
    .where('hour', '<', range.toQuarter / QUARTERS_OF_HOUR)
    .orderBy('hour')
    .execute()
  return rows.map(({ hour, ...counts }) => ({ quarter: hour * QUARTERS_OF_HOUR, ...counts }))
}

type InRange = Omit<ByValue, 'range'> & { range: TimeRange }

function countsByValue(queries: ClickQueries, scope: ClickScope, question: InRange): Promise<ValueCount[]> {
  const isKept = question.dimensions.every((name) => (WHOLE_DIMENSIONS as readonly string[]).includes(name))
  if (scope.linkId !== undefined || !isKept || !hasWholeHours(question.range))
    return countByValue(queries, scope, question)
  return countByValueOfHours(queries.db, scope.workspaceId, question)
}
