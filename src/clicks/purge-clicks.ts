import { DAY_US } from '../clock.ts'
import { removeClicksBefore } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'

/** Removes single clicks that are older than the days they are kept; the counters stay. */
export async function purgeClicks(
  db: Db,
  { nowUs, keepDays }: { nowUs: number; keepDays: number },
): Promise<void> {
  await removeClicksBefore(db, nowUs - keepDays * DAY_US)
}
