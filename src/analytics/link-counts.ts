import { type RawBuilder, sql } from 'kysely'
import { joinEach } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { ValueCount } from './click-counts.ts'
import { daysIn, rolledUpDays, uncoveredHours } from './rolled-up-days.ts'
import type { TimeRange } from './time-range.ts'

type LinkRange = Pick<TimeRange, 'fromHour' | 'toHour'> & { linkId: number }

export type HourCount = { hour: number; clicks: number; visitors: number; bots: number }

/** The hours of a link that had clicks, in order. */
export async function linkHourCounts(db: ReadOnlyDb, range: LinkRange): Promise<HourCount[]> {
  const { rows } = await sql<HourCount>`
    WITH ${rolledUpDays(db, [range.linkId], { ...range, days: 'whole' })}
    SELECT hour, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots FROM (
      SELECT hour, clicks, visitors, bots FROM ${uncoveredHours(db)}
      UNION ALL
      SELECT CAST(value AS INTEGER) AS hour, clicks, visitors, bots ${daysOf(range, sql`= 'hour'`)}
    ) AS counts GROUP BY hour ORDER BY hour`.execute(db)
  return rows
}

/** Clicks of a link by the values of each dimension, most clicks first. */
export async function linkValueCounts(
  db: ReadOnlyDb,
  range: LinkRange,
  dimensions: readonly string[],
): Promise<ValueCount[]> {
  const names = sql.join(dimensions.map((name) => sql.lit(name)))
  const values = sql.join(dimensions.map((name) => sql.ref(name)))
  const ofDimensions = dimensions.map(
    (name) => sql`SELECT ${sql.lit(name)} AS dimension, ${sql.ref(name)} AS value, sum(clicks) AS clicks
      FROM counted GROUP BY ${sql.ref(name)}`,
  )
  const dimensionNames = joinEach(db, sql`of_dimensions`, {
    table: 'click_dimensions',
    where: sql`id = dimensions_id`,
  })
  // Many hours share dimension sets, so they are grouped by set and each set is looked up once.
  const { rows } = await sql<ValueCount>`
    WITH ${rolledUpDays(db, [range.linkId], { ...range, days: 'whole' })},
    of_dimensions AS MATERIALIZED (
      SELECT dimensions_id, sum(clicks) AS clicks FROM ${uncoveredHours(db)} GROUP BY dimensions_id
    ),
    counted AS MATERIALIZED (
      SELECT ${values}, clicks FROM ${dimensionNames}
    )
    SELECT dimension, value, sum(clicks) AS clicks FROM (
      ${sql.join(ofDimensions, sql` UNION ALL `)}
      UNION ALL
      SELECT dimension, value, clicks ${daysOf(range, sql`IN (${names})`)}
    ) AS counts GROUP BY dimension, value ORDER BY clicks DESC, value`.execute(db)
  return rows
}

/** The rows of the days that are covered. */
function daysOf(range: LinkRange, dimension: RawBuilder<unknown>): RawBuilder<unknown> {
  const { firstDay, endDay } = daysIn(range, 'whole')
  return sql`FROM link_days WHERE link_id = ${range.linkId} AND dimension ${dimension}
    AND day >= ${firstDay} AND day < ${endDay} AND day IN (SELECT day FROM covered)`
}
