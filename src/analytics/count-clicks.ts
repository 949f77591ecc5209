import { type RawBuilder, sql } from 'kysely'
import type { Dimension } from '../clicks/facts/dimensions.ts'
import { DAY_US, QUARTER_US, QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import { joinEach, wholeNumber } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { TimeRange } from './time-range.ts'

/** Clicks of all links of a workspace, deleted ones included, or of one link. */
export type ClickOwner = { workspaceId: number } | { linkId: number }

/** Human clicks, distinct visitors per UTC day, and bot clicks beside them. */
export type ClickCounts = { clicks: number; visitors: number; bots: number }

export type Quarters = Pick<TimeRange, 'fromQuarter' | 'toQuarter'>
export type QuarterCount = ClickCounts & { quarter: number }
/** `total`: the clicks of all values of the dimension. */
export type ValueCount = { dimension: string; value: string; clicks: number; total: number }

type BySteps = { range: Quarters; stepQuarters: number }

/** The clicks of each step of the range that had some, in order. `quarter`: with which the step begins. */
export async function countByStep(
  db: ReadOnlyDb,
  owner: ClickOwner,
  { range, stepQuarters }: BySteps,
): Promise<QuarterCount[]> {
  const visitors = 'linkId' in owner ? sql`visitors` : sql`workspace_visitors`
  const fromUs = wholeNumber(range.fromQuarter * QUARTER_US)
  const { rows } = await sql<ClickCounts & { step: number }>`
    SELECT (clicked_at - ${fromUs}) / ${sql.lit(stepQuarters * QUARTER_US)} AS step, sum(clicks) AS clicks,
      sum(${visitors}) AS visitors, sum(bots) AS bots
    FROM clicks WHERE ${isOf(owner)} AND ${isIn(range)} GROUP BY 1 ORDER BY 1`.execute(db)
  return rows.map(({ step, clicks, visitors: firsts, bots }) => ({
    quarter: range.fromQuarter + Number(step) * stepQuarters,
    clicks: Number(clicks),
    visitors: Number(firsts),
    bots: Number(bots),
  }))
}

/** The clicks of a link in each of these spans. */
export async function countBySpan(
  db: ReadOnlyDb,
  linkId: number,
  spans: readonly Quarters[],
): Promise<number[]> {
  if (spans.length === 0) return []
  const places = spans.map(
    ({ fromQuarter, toQuarter }, at) =>
      sql`(${sql.lit(at)}, ${wholeNumber(fromQuarter * QUARTER_US)}, ${wholeNumber(toQuarter * QUARTER_US)})`,
  )
  const ofEach = joinEach(db, sql`spans`, {
    table: 'clicks',
    where: sql`link_id = ${wholeNumber(linkId)} AND clicked_at >= from_us AND clicked_at < to_us`,
  })
  const { rows } = await sql<{ span: number; clicks: number }>`
    WITH spans (span, from_us, to_us) AS (VALUES ${sql.join(places)})
    SELECT span, sum(clicks) AS clicks FROM ${ofEach} GROUP BY span`.execute(db)
  const counts = spans.map(() => 0)
  for (const { span, clicks } of rows) counts[Number(span)] = Number(clicks)
  return counts
}

export type ByValue = { range: Quarters; dimensions: readonly Dimension[]; limit: number }

/** Clicks by the values of each dimension, most clicks first, as many values of each as the limit says. */
export async function countByValue(
  db: ReadOnlyDb,
  owner: ClickOwner,
  { range, dimensions, limit }: ByValue,
): Promise<ValueCount[]> {
  const names = sql.join(dimensions.map((name) => sql.ref(name)))
  const each = dimensions.map(
    (name) => sql`SELECT ${sql.lit(name)} AS dimension, ${sql.ref(name)} AS value, clicks FROM counted`,
  )
  // Most clicks share their values, so the clicks are read once for all dimensions.
  const { rows } = await sql<ValueCount>`
    WITH counted AS MATERIALIZED (
      SELECT ${names}, sum(clicks) AS clicks FROM clicks
      WHERE ${isOf(owner)} AND ${isIn(range)} AND clicks > 0 GROUP BY ${names}
    ) ${topValues(sql`(${sql.join(each, sql` UNION ALL `)}) AS counts`, limit)}`.execute(db)
  return rows.map(toNumbers)
}

/** The same from the kept counters of a workspace, of whole hours. */
export async function countByValueOfHours(
  db: ReadOnlyDb,
  workspaceId: number,
  { range, dimensions, limit }: ByValue,
): Promise<ValueCount[]> {
  const { rows } = await sql<ValueCount>`${topValues(
    sql`workspace_hours WHERE workspace_id = ${workspaceId}
      AND dimension IN (${sql.join(dimensions.map((name) => sql.lit(name)))})
      AND hour >= ${range.fromQuarter / QUARTERS_OF_HOUR} AND hour < ${range.toQuarter / QUARTERS_OF_HOUR}`,
    limit,
  )}`.execute(db)
  return rows.map(toNumbers)
}

/** Visitors can invent a million values: only the first leave the database. `counts` stands behind FROM. */
const topValues = (counts: RawBuilder<unknown>, limit: number): RawBuilder<unknown> => sql`
  SELECT dimension, value, clicks, total FROM (
    SELECT dimension, value, sum(clicks) AS clicks, sum(sum(clicks)) OVER (PARTITION BY dimension) AS total,
      row_number() OVER (PARTITION BY dimension ORDER BY sum(clicks) DESC, value) AS place
    FROM ${counts} GROUP BY dimension, value
  ) AS ranked WHERE place <= ${limit} ORDER BY clicks DESC, value`

const toNumbers = ({ clicks, total, ...row }: ValueCount): ValueCount => ({
  ...row,
  clicks: Number(clicks),
  total: Number(total),
})

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

export type RangeLink = {
  id: number
  domainId: number
  code: string
  title: string
  createdAtUs: number
  /** In the range. */
  clicks: number
}

/** The links of a workspace with the most clicks in the range; none that is deleted. */
export async function topLinks(
  db: ReadOnlyDb,
  workspaceId: number,
  { range, limit }: { range: Quarters; limit: number },
): Promise<RangeLink[]> {
  const { rows } = await sql<RangeLink>`
    WITH counted AS MATERIALIZED (
      SELECT link_id, sum(clicks) AS clicks FROM clicks
      WHERE workspace_id = ${workspaceId} AND ${isIn(range)} AND clicks > 0 GROUP BY link_id
    )
    SELECT id, domain_id AS "domainId", code, title, created_at AS "createdAtUs", clicks
    FROM counted JOIN links ON links.id = link_id WHERE workspace_id = ${workspaceId}
    ORDER BY clicks DESC, id DESC LIMIT ${limit}`.execute(db)
  return rows.map(({ clicks, ...link }) => ({ ...link, clicks: Number(clicks) }))
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
