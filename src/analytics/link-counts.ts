import { type RawBuilder, sql } from 'kysely'
import { joinEach, wholeNumber } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import type { ValueCount } from './click-counts.ts'
import type { TimeRange } from './time-range.ts'

const HOURS_OF_DAY = 24

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
const daysOf = ({ linkId }: LinkRange, dimension: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`FROM link_days WHERE link_id = ${linkId} AND dimension ${dimension} AND day IN (SELECT day FROM covered)`

/**
 * `covered`: the days that are summed up, each up to the hour `next`, all of it within the range. Of the running day that
 * is up to an hour ago. `uncovered`: the rest of the range, as stretches of at most a day: the hours from `first` up to,
 * not including, `next`.
 */
function coverage({ linkId, fromHour, toHour }: LinkRange): RawBuilder<unknown> {
  const midnight = (Math.floor(fromHour / HOURS_OF_DAY) + 1) * HOURS_OF_DAY
  const [firstDay, endDay] = [Math.ceil(fromHour / HOURS_OF_DAY), Math.ceil(toHour / HOURS_OF_DAY)]
  return sql`
    covered (day, next) AS MATERIALIZED (
      SELECT day, max(CAST(value AS INTEGER)) + 1 FROM link_days
      WHERE link_id = ${linkId} AND dimension = 'hour' AND day >= ${firstDay} AND day < ${endDay}
      GROUP BY day HAVING max(CAST(value AS INTEGER)) < ${toHour}
    ),
    stretches (first, next) AS (
      SELECT ${wholeNumber(fromHour)}, ${wholeNumber(Math.min(midnight, toHour))}
      UNION ALL
      SELECT next, CASE WHEN next + 24 < ${toHour} THEN next + 24 ELSE ${toHour} END
      FROM stretches WHERE next < ${toHour}
    ),
    uncovered (first, next) AS MATERIALIZED (
      SELECT coalesce(covered.next, first), stretches.next
      FROM stretches LEFT JOIN covered ON covered.day = first / 24
      WHERE covered.next IS NULL OR covered.next < stretches.next
    )`
}

const hoursOf = (db: Db, { linkId }: LinkRange): RawBuilder<unknown> =>
  joinEach(db, sql`uncovered`, {
    table: 'link_hours',
    where: sql`link_id = ${linkId} AND hour >= first AND hour < next`,
  })
