import { sql } from 'kysely'
import type { Db } from '../store/open-store.ts'
import type { TimeRange } from './time-range.ts'

/** Whose clicks: all of an account's links (deleted ones included), or one link's. */
export type ClickOwner = { accountId: number } | { linkId: number }

export type Dimension = 'country' | 'device' | 'browser' | 'os' | 'referrer'

/** People's clicks, distinct visitors per UTC day, and bots beside them. */
export type ClickCounts = { clicks: number; visitors: number; bots: number }

export type SeriesPoint = ClickCounts & { label: string }
export type BreakdownRow = { value: string; clicks: number; percentage: number }

/** The counts of every bucket of the range, zeros included. */
export async function clickSeries(db: Db, owner: ClickOwner, range: TimeRange): Promise<SeriesPoint[]> {
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

/** The values of one dimension with the most clicks first; percentages are of all clicks of the range. */
export async function clickBreakdown(
  db: Db,
  owner: ClickOwner,
  { range, dimension, limit }: { range: TimeRange; dimension: Dimension; limit: number },
): Promise<BreakdownRow[]> {
  const rows = await countsByValue(db, owner, { range, dimension })
  const total = rows.reduce((sum, { clicks }) => sum + Number(clicks), 0)
  return rows.slice(0, limit).map(({ value, clicks }) => ({
    value,
    clicks: Number(clicks),
    percentage: Math.round((Number(clicks) / total) * 10_000) / 100,
  }))
}

function countsByHour(db: Db, owner: ClickOwner, { fromHour, toHour }: TimeRange) {
  const sums = [
    sql<number>`sum(clicks)`.as('clicks'),
    sql<number>`sum(visitors)`.as('visitors'),
    sql<number>`sum(bots)`.as('bots'),
  ] as const
  if ('linkId' in owner) {
    return db
      .selectFrom('link_hours')
      .select(['hour', ...sums])
      .where('link_id', '=', owner.linkId)
      .where('hour', '>=', fromHour)
      .where('hour', '<', toHour)
      .groupBy('hour')
      .orderBy('hour')
      .execute()
  }
  return db
    .selectFrom('account_hours')
    .select(['hour', 'clicks', 'visitors', 'bots'])
    .where('account_id', '=', owner.accountId)
    .where('dimension', '=', 'total')
    .where('hour', '>=', fromHour)
    .where('hour', '<', toHour)
    .orderBy('hour')
    .execute()
}

function countsByValue(
  db: Db,
  owner: ClickOwner,
  { range, dimension }: { range: TimeRange; dimension: Dimension },
) {
  const clicks = sql<number>`sum(clicks)`.as('clicks')
  if ('linkId' in owner) {
    return db
      .selectFrom('link_hours')
      .innerJoin('audiences', 'audiences.id', 'link_hours.audience_id')
      .select([`audiences.${dimension} as value`, clicks])
      .where('link_id', '=', owner.linkId)
      .where('hour', '>=', range.fromHour)
      .where('hour', '<', range.toHour)
      .groupBy('value')
      .orderBy('clicks', 'desc')
      .orderBy('value')
      .execute()
  }
  return db
    .selectFrom('account_hours')
    .select(['value', clicks])
    .where('account_id', '=', owner.accountId)
    .where('dimension', '=', dimension)
    .where('hour', '>=', range.fromHour)
    .where('hour', '<', range.toHour)
    .groupBy('value')
    .orderBy('clicks', 'desc')
    .orderBy('value')
    .execute()
}
