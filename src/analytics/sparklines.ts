import { sql } from 'kysely'
import { type Clock, dayOf, HOURS_OF_DAY } from '../clock.ts'
import { joinEach, wholeNumber } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'

export const SPARKLINE_DAYS = 30
const HOURS = sql.lit(HOURS_OF_DAY)

/** Of each link the clicks of the last 30 UTC days, today last. */
export async function sparklines(
  { db, clock }: { db: Db; clock: Clock },
  linkIds: readonly number[],
): Promise<Map<number, number[]>> {
  const lines = new Map(linkIds.map((id) => [id, Array<number>(SPARKLINE_DAYS).fill(0)]))
  if (linkIds.length === 0) return lines
  const today = dayOf(clock.nowUs())
  const firstDay = today - SPARKLINE_DAYS + 1
  for (const { linkId, day, clicks } of await dayCounts(db, linkIds, { firstDay, lastDay: today })) {
    lines.get(Number(linkId))![Number(day) - firstDay]! += Number(clicks)
  }
  return lines
}

type DayCount = { linkId: number; day: number; clicks: number }

/** From the sums of days, where there are any; only of hours that are in none the rows are added up. */
async function dayCounts(
  db: Db,
  linkIds: readonly number[],
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<DayCount[]> {
  const ids = sql.join(linkIds.map((id) => sql`(${wholeNumber(id)})`))
  const sums = joinEach(db, sql`ids`, {
    table: 'link_days',
    where: sql`link_id = id AND dimension = 'hour' AND day >= ${firstDay} AND day <= ${lastDay}`,
  })
  const hours = joinEach(db, sql`uncovered`, {
    table: 'link_hours',
    where: sql`link_id = id AND hour >= from_hour AND hour < to_hour`,
  })
  const { rows } = await sql<DayCount>`
    WITH RECURSIVE
      ids (id) AS (VALUES ${ids}),
      days (day) AS (SELECT ${wholeNumber(firstDay)} UNION ALL SELECT day + 1 FROM days WHERE day < ${lastDay}),
      summed (id, day, to_hour, clicks) AS MATERIALIZED (
        SELECT id, day, max(CAST(value AS INTEGER)) + 1, sum(clicks) FROM ${sums} GROUP BY id, day
      ),
      uncovered (id, day, from_hour, to_hour) AS MATERIALIZED (
        SELECT ids.id, days.day, coalesce(summed.to_hour, days.day * ${HOURS}), (days.day + 1) * ${HOURS}
        FROM ids CROSS JOIN days LEFT JOIN summed ON summed.id = ids.id AND summed.day = days.day
      )
    SELECT id AS "linkId", day, sum(clicks) AS clicks FROM ${hours} GROUP BY id, day
    UNION ALL
    SELECT id AS "linkId", day, clicks FROM summed`.execute(db)
  return rows
}
