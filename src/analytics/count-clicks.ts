import { type RawBuilder, sql } from 'kysely'
import type { Dimension } from '../clicks/facts/dimensions.ts'
import { DAY_US, QUARTER_US } from '../runtime/clock.ts'
import { joinEach, wholeNumber } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { TimeRange } from './time-range.ts'

/** Clicks of all links of a workspace, deleted ones included, or of one link. */
export type ClickOwner = { workspaceId: number } | { linkId: number }

/** Human clicks, distinct visitors per UTC day, and bot clicks beside them. */
export type ClickCounts = { clicks: number; visitors: number; bots: number }

export type Quarters = Pick<TimeRange, 'fromQuarter' | 'toQuarter'>
export type QuarterCount = ClickCounts & { quarter: number }
export type ValueCount = { dimension: string; value: string; clicks: number }

/** The quarters of an hour that had clicks, in order. */
export async function countByQuarter(
  db: ReadOnlyDb,
  owner: ClickOwner,
  range: Quarters,
): Promise<QuarterCount[]> {
  const visitors = 'linkId' in owner ? sql`visitors` : sql`workspace_visitors`
  const { rows } = await sql<QuarterCount>`
    SELECT clicked_at / ${sql.lit(QUARTER_US)} AS quarter, sum(clicks) AS clicks, sum(${visitors}) AS visitors,
      sum(bots) AS bots FROM clicks WHERE ${isOf(owner)} AND ${isIn(range)} GROUP BY 1 ORDER BY 1`.execute(db)
  return rows.map(({ quarter, clicks, visitors: firsts, bots }) => ({
    quarter: Number(quarter),
    clicks: Number(clicks),
    visitors: Number(firsts),
    bots: Number(bots),
  }))
}

type ByValue = { range: Quarters; dimensions: readonly Dimension[] }

/** Clicks by the values of each dimension, most clicks first. */
export async function countByValue(
  db: ReadOnlyDb,
  owner: ClickOwner,
  { range, dimensions }: ByValue,
): Promise<ValueCount[]> {
  const names = sql.join(dimensions.map((name) => sql.ref(name)))
  const each = dimensions.map(
    (name) => sql`SELECT ${sql.lit(name)} AS dimension, ${sql.ref(name)} AS value, sum(clicks) AS clicks
      FROM counted GROUP BY ${sql.ref(name)}`,
  )
  // Most clicks share their values, so the clicks are read once for all dimensions.
  const { rows } = await sql<ValueCount>`
    WITH counted AS MATERIALIZED (
      SELECT ${names}, sum(clicks) AS clicks FROM clicks
      WHERE ${isOf(owner)} AND ${isIn(range)} AND clicks > 0 GROUP BY ${names}
    )
    SELECT dimension, value, clicks FROM (${sql.join(each, sql` UNION ALL `)}) AS counts
    ORDER BY clicks DESC, value`.execute(db)
  return rows.map((row) => ({ ...row, clicks: Number(row.clicks) }))
}

/** Clicks of each link in the range. Links without clicks are left out. */
export async function countByLink(
  db: ReadOnlyDb,
  linkIds: readonly number[],
  range: Quarters,
): Promise<Map<number, number>> {
  if (linkIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; clicks: number }>`
    WITH ${linksNamed(linkIds)}
    SELECT link AS id, sum(clicks) AS clicks FROM ${clicksOfEach(db, range)} GROUP BY link HAVING sum(clicks) > 0`.execute(
    db,
  )
  return new Map(rows.map(({ id, clicks }) => [Number(id), Number(clicks)]))
}

type LinkDayCount = { id: number; day: number; clicks: number }

/** Clicks of each link on each UTC day in the range. */
export async function countByLinkAndDay(
  db: ReadOnlyDb,
  linkIds: readonly number[],
  range: Quarters,
): Promise<LinkDayCount[]> {
  const { rows } = await sql<LinkDayCount>`
    WITH ${linksNamed(linkIds)}
    SELECT link AS id, clicked_at / ${sql.lit(DAY_US)} AS day, sum(clicks) AS clicks
    FROM ${clicksOfEach(db, range)} GROUP BY 1, 2`.execute(db)
  return rows.map(({ id, day, clicks }) => ({ id: Number(id), day: Number(day), clicks: Number(clicks) }))
}

const isOf = (owner: ClickOwner): RawBuilder<unknown> =>
  'linkId' in owner ? sql`link_id = ${owner.linkId}` : sql`workspace_id = ${owner.workspaceId}`

const isIn = ({ fromQuarter, toQuarter }: Quarters): RawBuilder<unknown> =>
  sql`clicked_at >= ${wholeNumber(fromQuarter * QUARTER_US)} AND clicked_at < ${wholeNumber(toQuarter * QUARTER_US)}`

const linksNamed = (linkIds: readonly number[]): RawBuilder<unknown> =>
  sql`link_ids (link) AS (VALUES ${sql.join(linkIds.map((id) => sql`(${wholeNumber(id)})`))})`

/** Stands behind FROM; the link is `link`. */
const clicksOfEach = (db: ReadOnlyDb, range: Quarters): RawBuilder<unknown> =>
  joinEach(db, sql`link_ids`, { table: 'clicks', where: sql`link_id = link AND ${isIn(range)}` })
