import { sql } from 'kysely'
import { type Clock, dayOf, HOURS_OF_DAY } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { rolledUpDays, uncoveredHours } from './rolled-up-days.ts'

export const SPARKLINE_DAYS = 30

/** The clicks of each link in the last 30 UTC days, today last. */
export async function sparklines(
  { db, clock }: { db: ReadOnlyDb; clock: Clock },
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

async function dayCounts(
  db: ReadOnlyDb,
  linkIds: readonly number[],
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<DayCount[]> {
  const range = { fromHour: firstDay * HOURS_OF_DAY, toHour: (lastDay + 1) * HOURS_OF_DAY }
  const { rows } = await sql<DayCount>`
    WITH ${rolledUpDays(db, linkIds, { ...range, days: 'touched' })}
    SELECT id AS "linkId", hour / ${sql.lit(HOURS_OF_DAY)} AS day, sum(clicks) AS clicks
    FROM ${uncoveredHours(db)} GROUP BY 1, 2
    UNION ALL
    SELECT id AS "linkId", day, clicks FROM covered`.execute(db)
  return rows
}
