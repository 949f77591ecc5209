import { type RawBuilder, sql } from 'kysely'
import { HOURS_OF_DAY } from '../clock.ts'
import { joinEach, wholeNumber } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import type { ValueCount } from './click-counts.ts'
import type { TimeRange } from './time-range.ts'

type LinkRange = Pick<TimeRange, 'fromHour' | 'toHour'> & { linkId: number }

export type HourCount = { hour: number; clicks: number; visitors: number; bots: number }

/** A link's hours that had clicks, in order. */
export async function linkHourCounts(db: Db, range: LinkRange): Promise<HourCount[]> {
  const { rows } = await sql<HourCount>`
    WITH RECURSIVE ${coverage(range)}
    SELECT hour, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots FROM (
      SELECT hour, clicks, visitors, bots FROM ${hoursOf(db, range)}
      UNION ALL
      SELECT CAST(value AS INTEGER) AS hour, clicks, visitors, bots ${daysOf(range, sql`= 'hour'`)}
    ) AS counts GROUP BY hour ORDER BY hour`.execute(db)
  return rows
}

/** A link's clicks by the values of each of the dimensions, most clicked first. */
export async function linkValueCounts(
  db: Db,
  range: LinkRange,
  dimensions: readonly string[],
): Promise<ValueCount[]> {
  const names = sql.join(dimensions.map((name) => sql.lit(name)))
  const values = sql.join(dimensions.map((name) => sql.ref(name)))
  const ofDimensions = dimensions.map(
    (name) => sql`SELECT ${sql.lit(name)} AS dimension, ${sql.ref(name)} AS value, sum(clicks) AS clicks
      FROM counted GROUP BY ${sql.ref(name)}`,
  )
  const named = joinEach(db, sql`of_audiences`, { table: 'audiences', where: sql`id = audience_id` })
  // Many hours have the same audiences: they are added up, and looked up, once for all dimensions.
  const { rows } = await sql<ValueCount>`
    WITH RECURSIVE ${coverage(range)},
    of_audiences AS MATERIALIZED (
      SELECT audience_id, sum(clicks) AS clicks FROM ${hoursOf(db, range)} GROUP BY audience_id
    ),
    counted AS MATERIALIZED (
      SELECT ${values}, clicks FROM ${named}
    )
    SELECT dimension, value, sum(clicks) AS clicks FROM (
      ${sql.join(ofDimensions, sql` UNION ALL `)}
      UNION ALL
      SELECT dimension, value, clicks ${daysOf(range, sql`IN (${names})`)}
    ) AS counts GROUP BY dimension, value ORDER BY clicks DESC, value`.execute(db)
  return rows
}

/** What is summed up of the days that are covered. */
function daysOf(range: LinkRange, dimension: RawBuilder<unknown>): RawBuilder<unknown> {
  const { firstDay, endDay } = daysIn(range)
  return sql`FROM link_days WHERE link_id = ${range.linkId} AND dimension ${dimension}
    AND day >= ${firstDay} AND day < ${endDay} AND day IN (SELECT day FROM covered)`
}

/** The days that begin in the range. */
const daysIn = ({ fromHour, toHour }: LinkRange) => ({
  firstDay: Math.ceil(fromHour / HOURS_OF_DAY),
  endDay: Math.ceil(toHour / HOURS_OF_DAY),
})

/**
 * `covered`: the days that are summed up and have no sum beyond the range, each up to the last hour in its sums: what has
 * come for later hours, as it does on the running day, is in no sum. `uncovered`: the rest of the range, as stretches of
 * at most a day. All of them end before `to_hour`.
 */
function coverage(range: LinkRange): RawBuilder<unknown> {
  const { linkId, fromHour, toHour } = range
  const { firstDay, endDay } = daysIn(range)
  const midnight = (Math.floor(fromHour / HOURS_OF_DAY) + 1) * HOURS_OF_DAY
  return sql`
    covered (day, to_hour) AS MATERIALIZED (
      SELECT day, max(CAST(value AS INTEGER)) + 1 FROM link_days
      WHERE link_id = ${linkId} AND dimension = 'hour' AND day >= ${firstDay} AND day < ${endDay}
      GROUP BY day HAVING max(CAST(value AS INTEGER)) < ${toHour}
    ),
    stretches (from_hour, to_hour) AS (
      SELECT ${wholeNumber(fromHour)}, ${wholeNumber(Math.min(midnight, toHour))}
      UNION ALL
      SELECT to_hour, CASE WHEN to_hour + 24 < ${toHour} THEN to_hour + 24 ELSE ${toHour} END
      FROM stretches WHERE to_hour < ${toHour}
    ),
    uncovered (from_hour, to_hour) AS MATERIALIZED (
      SELECT coalesce(covered.to_hour, from_hour), stretches.to_hour
      FROM stretches LEFT JOIN covered ON covered.day = from_hour / 24
      WHERE covered.to_hour IS NULL OR covered.to_hour < stretches.to_hour
    )`
}

const hoursOf = (db: Db, { linkId }: LinkRange): RawBuilder<unknown> =>
  joinEach(db, sql`uncovered`, {
    table: 'link_hours',
    where: sql`link_id = ${linkId} AND hour >= from_hour AND hour < to_hour`,
  })
