import { sql } from 'kysely'
import { type Clock, dayOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

export const SPARKLINE_DAYS = 30
const HOURS_OF_DAY = 24

/** Of each link the clicks of the last 30 UTC days, today last. */
export async function sparklines(
  { db, clock }: { db: Db; clock: Clock },
  linkIds: readonly number[],
): Promise<Map<number, number[]>> {
  const lines = new Map(linkIds.map((id) => [id, Array<number>(SPARKLINE_DAYS).fill(0)]))
  if (linkIds.length === 0) return lines
  const firstDay = dayOf(clock.nowUs()) - SPARKLINE_DAYS + 1
  const rows = await db
    .selectFrom('link_hours')
    .select(['link_id', sql<number>`hour / ${HOURS_OF_DAY}`.as('day'), sql<number>`sum(clicks)`.as('clicks')])
    .where('link_id', 'in', linkIds)
    .where('hour', '>=', firstDay * HOURS_OF_DAY)
    .groupBy(['link_id', 'day'])
    .execute()
  for (const { link_id: id, day, clicks } of rows) {
    // A clock that was set back may have left hours of tomorrow.
    const at = Number(day) - firstDay
    if (at < SPARKLINE_DAYS) lines.get(id)![at] = Number(clicks)
  }
  return lines
}
