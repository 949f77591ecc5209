import { sql } from 'kysely'
import type { ReadOnlyDb } from '../store/handles.ts'
import { rolledUpDays, uncoveredHours } from './rolled-up-days.ts'
import type { TimeRange } from './time-range.ts'

type Hours = Pick<TimeRange, 'fromHour' | 'toHour'>

/** Clicks of each link in the range. Links without clicks are left out. */
export async function rangeClicks(
  db: ReadOnlyDb,
  linkIds: readonly number[],
  { fromHour, toHour }: Hours,
): Promise<Map<number, number>> {
  if (linkIds.length === 0) return new Map()
  const { rows } = await sql<{ linkId: number; clicks: number }>`
    WITH ${rolledUpDays(db, linkIds, { fromHour, toHour, days: 'touched' })}
    SELECT id AS "linkId", sum(clicks) AS clicks FROM (
      SELECT id, clicks FROM covered UNION ALL SELECT id, clicks FROM ${uncoveredHours(db)}
    ) AS counts GROUP BY id HAVING sum(clicks) > 0`.execute(db)
  return new Map(rows.map(({ linkId, clicks }) => [Number(linkId), Number(clicks)]))
}
