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

/** Of each dimension the values with the most clicks first; percentages are of all clicks of the range. */
export async function clickBreakdowns<Name extends Dimension>(
  db: Db,
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

type ValueCount = { dimension: string; value: string; clicks: number }

async function countsByValue(
  db: Db,
  owner: ClickOwner,
  { range: { fromHour, toHour }, dimensions }: { range: TimeRange; dimensions: readonly Dimension[] },
): Promise<ValueCount[]> {
  if ('accountId' in owner) {
    return db
      .selectFrom('account_hours')
      .select(['dimension', 'value', sql<number>`sum(clicks)`.as('clicks')])
      .where('account_id', '=', owner.accountId)
      .where('dimension', 'in', dimensions)
      .where('hour', '>=', fromHour)
      .where('hour', '<', toHour)
      .groupBy(['dimension', 'value'])
      .orderBy('clicks', 'desc')
      .orderBy('value')
      .execute()
  }
  const ofDimensions = dimensions.map(
    (name) => sql`SELECT ${sql.lit(name)} AS dimension, ${sql.ref(name)} AS value, sum(clicks) AS clicks
      FROM counted JOIN audiences ON id = audience_id GROUP BY ${sql.ref(name)}`,
  )
  // A much clicked link has many hours with many audiences: they are added up once for all dimensions.
  const { rows } = await sql<ValueCount>`
    WITH counted AS MATERIALIZED (
      SELECT audience_id, sum(clicks) AS clicks FROM link_hours
      WHERE link_id = ${owner.linkId} AND hour >= ${fromHour} AND hour < ${toHour} GROUP BY audience_id
    )
    SELECT * FROM (${sql.join(ofDimensions, sql` UNION ALL `)}) AS counts ORDER BY clicks DESC, value`.execute(
    db,
  )
  return rows
}
