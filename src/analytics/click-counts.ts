import { sql } from 'kysely'
import type { ReadOnlyDb } from '../store/handles.ts'
import { type HourCount, linkHourCounts, linkValueCounts } from './link-counts.ts'
import type { TimeRange } from './time-range.ts'

/** Clicks of all links of a workspace, deleted ones included, or of one link. */
export type ClickOwner = { workspaceId: number } | { linkId: number }

export type Dimension = 'country' | 'device' | 'browser' | 'os' | 'referrer'

/** Human clicks, distinct visitors per UTC day, and bot clicks beside them. */
export type ClickCounts = { clicks: number; visitors: number; bots: number }

export type SeriesPoint = ClickCounts & { label: string }
export type BreakdownRow = { value: string; clicks: number; percentage: number }

/** The counts of every bucket of the range, zeros included. */
export async function clickSeries(
  db: ReadOnlyDb,
  owner: ClickOwner,
  range: TimeRange,
): Promise<SeriesPoint[]> {
  const points = range.buckets.map(({ label }) => ({ label, clicks: 0, visitors: 0, bots: 0 }))
  let bucket = 0
  for (const { hour, clicks, visitors, bots } of await countsByHour(db, owner, range)) {
    while ((range.buckets[bucket + 1]?.fromHour ?? Infinity) <= hour) bucket++
    const point = points[bucket]!
    point.clicks += Number(clicks)
    point.visitors += Number(visitors)
    point.bots += Number(bots)
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
  db: ReadOnlyDb,
  owner: ClickOwner,
  { range, dimensions, limit }: { range: TimeRange; dimensions: readonly Name[]; limit: number },
): Promise<Record<Name, BreakdownRow[]>> {
  const rows = await countsByValue(db, owner, { range, dimensions })
  const breakdownOf = (name: Name) => {
    const ofDimension = rows.filter(({ dimension }) => dimension === name)
    const total = ofDimension.reduce((sum, { clicks }) => sum + Number(clicks), 0)
    return ofDimension.slice(0, limit).map(({ value, clicks }) => ({
      value,
      clicks: Number(clicks),
      percentage: Math.round((Number(clicks) / total) * 10_000) / 100,
    }))
  }
  const breakdowns = dimensions.map((name) => [name, breakdownOf(name)] as const)
  return Object.fromEntries(breakdowns) as Record<Name, BreakdownRow[]>
}

function countsByHour(
  db: ReadOnlyDb,
  owner: ClickOwner,
  { fromHour, toHour }: TimeRange,
): Promise<HourCount[]> {
  if ('linkId' in owner) return linkHourCounts(db, { ...owner, fromHour, toHour })
  return db
    .selectFrom('workspace_hours')
    .select(['hour', 'clicks', 'visitors', 'bots'])
    .where('workspace_id', '=', owner.workspaceId)
    .where('dimension', '=', 'total')
    .where('hour', '>=', fromHour)
    .where('hour', '<', toHour)
    .orderBy('hour')
    .execute()
}

export type ValueCount = { dimension: string; value: string; clicks: number }

function countsByValue(
  db: ReadOnlyDb,
  owner: ClickOwner,
  { range: { fromHour, toHour }, dimensions }: { range: TimeRange; dimensions: readonly Dimension[] },
): Promise<ValueCount[]> {
  if ('linkId' in owner) return linkValueCounts(db, { ...owner, fromHour, toHour }, dimensions)
  return db
    .selectFrom('workspace_hours')
    .select(['dimension', 'value', sql<number>`sum(clicks)`.as('clicks')])
    .where('workspace_id', '=', owner.workspaceId)
    .where('dimension', 'in', dimensions)
    .where('hour', '>=', fromHour)
    .where('hour', '<', toHour)
    .groupBy(['dimension', 'value'])
    .orderBy('clicks', 'desc')
    .orderBy('value')
    .execute()
}
