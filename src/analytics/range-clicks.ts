import { sql } from 'kysely'
import { HOURS_OF_DAY } from '../clock.ts'
import { joinEach, wholeNumber } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import type { TimeRange } from './time-range.ts'

type Hours = Pick<TimeRange, 'fromHour' | 'toHour'>

/** Clicks of each of the links in the range; a link without clicks is not in it. */
export async function rangeClicks(
  db: Db,
  linkIds: readonly number[],
  { fromHour, toHour }: Hours,
): Promise<Map<number, number>> {
  if (linkIds.length === 0) return new Map()
  const [from, to, hoursOfDay] = [wholeNumber(fromHour), wholeNumber(toHour), sql.lit(HOURS_OF_DAY)]
  const [firstDay, endDay] = [Math.floor(fromHour / HOURS_OF_DAY), Math.ceil(toHour / HOURS_OF_DAY)]
  const sums = joinEach(db, sql`ids`, {
    table: 'link_days',
    where: sql`link_id = id AND dimension = 'hour' AND day >= ${firstDay} AND day < ${endDay}`,
  })
  const hours = joinEach(db, sql`uncovered`, {
    table: 'link_hours',
    where: sql`link_id = id AND hour >= from_hour AND hour < to_hour`,
  })
  // Between the days that are summed up lie gaps, each read by its hours. The mark before all days opens the first gap.
  const { rows } = await sql<{ linkId: number; clicks: number }>`
    WITH
      ids (id) AS (VALUES ${sql.join(linkIds.map((id) => sql`(${wholeNumber(id)})`))}),
      summed (id, from_hour, to_hour, clicks) AS MATERIALIZED (
        SELECT id, day * ${hoursOfDay}, max(CAST(value AS BIGINT)) + 1, sum(
          CASE WHEN CAST(value AS BIGINT) >= ${from} AND CAST(value AS BIGINT) < ${to} THEN clicks ELSE 0 END
        ) FROM ${sums} GROUP BY id, day
      ),
      marks (id, from_hour, to_hour) AS (
        SELECT id, ${from} - 2 * ${hoursOfDay}, ${from} FROM ids
        UNION ALL SELECT id, from_hour, to_hour FROM summed
      ),
      gaps (id, from_hour, to_hour) AS (
        SELECT id, CASE WHEN to_hour < ${from} THEN ${from} ELSE to_hour END,
          lead(from_hour, 1, ${to}) OVER (PARTITION BY id ORDER BY from_hour) FROM marks
      ),
      uncovered (id, from_hour, to_hour) AS MATERIALIZED (
        SELECT id, from_hour, to_hour FROM gaps WHERE from_hour < to_hour
      )
    SELECT id AS "linkId", sum(clicks) AS clicks FROM (
      SELECT id, clicks FROM summed UNION ALL SELECT id, clicks FROM ${hours}
    ) AS counts GROUP BY id HAVING sum(clicks) > 0`.execute(db)
  return new Map(rows.map(({ linkId, clicks }) => [Number(linkId), Number(clicks)]))
}
