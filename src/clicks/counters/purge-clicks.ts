import { DAY_US } from '../../runtime/clock.ts'
import { removeClicksBefore } from '../../store/engine-sql.ts'
import type { RelaxedDb } from '../../store/handles.ts'

/** Removes single clicks older than `keepDays`. The counters stay. */
export async function purgeClicks(
  db: RelaxedDb,
  { nowUs, keepDays }: { nowUs: number; keepDays: number },
): Promise<void> {
  await removeClicksBefore(db, nowUs - keepDays * DAY_US)
}
