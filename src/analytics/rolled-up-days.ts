import { type RawBuilder, sql } from 'kysely'
import { HOURS_OF_DAY } from '../runtime/clock.ts'
import { joinEach, wholeNumber } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { TimeRange } from './time-range.ts'

type Hours = Pick<TimeRange, 'fromHour' | 'toHour'>

/** The UTC days that a range touches; with 'whole', the days that begin in it. */
export const daysIn = ({ fromHour, toHour }: Hours, which: 'touched' | 'whole') => ({
  firstDay: (which === 'whole' ? Math.ceil : Math.floor)(fromHour / HOURS_OF_DAY),
  endDay: Math.ceil(toHour / HOURS_OF_DAY),
})

/**
 * Tables to be named after WITH, which divide a range of links into what `link_days` has and the rest:
 *
 * - `covered` (id, day, from_hour, to_hour, clicks): days that are rolled up, each to the last hour that is in it; later
 *   hours, as the running day has them, are not. `clicks` are those in the range. With 'whole', a day counts as covered
 *   only if all that is rolled up of it lies in the range: its values are not known by the hour.
 * - `uncovered` (id, from_hour, to_hour): the gaps between those days, to be read from `link_hours` by `uncoveredHours`.
 */
export function rolledUpDays(
  db: ReadOnlyDb,
  linkIds: readonly number[],
  range: Hours & { days: 'touched' | 'whole' },
): RawBuilder<unknown> {
  const { firstDay, endDay } = daysIn(range, range.days)
  const [from, to, hoursOfDay] = [
    wholeNumber(range.fromHour),
    wholeNumber(range.toHour),
    sql.lit(HOURS_OF_DAY),
  ]
  const rolledUp = joinEach(db, sql`ids`, {
    table: 'link_days',
    where: sql`link_id = id AND dimension = 'hour' AND day >= ${firstDay} AND day < ${endDay}`,
  })
  const hour = sql`CAST(value AS BIGINT)`
  const whole = range.days === 'whole' ? sql`HAVING max(${hour}) < ${to}` : sql``
  // The mark before all days opens the first gap.
  return sql`
    ids (id) AS (VALUES ${sql.join(linkIds.map((id) => sql`(${wholeNumber(id)})`))}),
    covered (id, day, from_hour, to_hour, clicks) AS MATERIALIZED (
      SELECT id, day, day * ${hoursOfDay}, max(${hour}) + 1,
        sum(CASE WHEN ${hour} >= ${from} AND ${hour} < ${to} THEN clicks ELSE 0 END)
      FROM ${rolledUp} GROUP BY id, day ${whole}
    ),
    marks (id, from_hour, to_hour) AS (
      SELECT id, ${from} - 2 * ${hoursOfDay}, ${from} FROM ids
      UNION ALL SELECT id, from_hour, to_hour FROM covered
    ),
    gaps (id, from_hour, to_hour) AS (
      SELECT id, CASE WHEN to_hour < ${from} THEN ${from} ELSE to_hour END,
        lead(from_hour, 1, ${to}) OVER (PARTITION BY id ORDER BY from_hour) FROM marks
    ),
    uncovered (id, from_hour, to_hour) AS MATERIALIZED (
      SELECT id, from_hour, to_hour FROM gaps WHERE from_hour < to_hour
    )`
}

/** The rows of `link_hours` in the gaps; stands behind FROM. */
export const uncoveredHours = (db: ReadOnlyDb): RawBuilder<unknown> =>
  joinEach(db, sql`uncovered`, {
    table: 'link_hours',
    where: sql`link_id = id AND hour >= from_hour AND hour < to_hour`,
  })
