import { DAY_US } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

const ROWS_PER_STATEMENT = 5_000

/** Removes single clicks that are older than the days they are kept; the counters stay. Small steps, so that nobody waits. */
export async function purgeClicks(
  db: Db,
  { nowUs, keepDays }: { nowUs: number; keepDays: number },
): Promise<void> {
  const before = nowUs - keepDays * DAY_US
  for (;;) {
    const oldest = db.selectFrom('clicks').select('id').orderBy('id').limit(ROWS_PER_STATEMENT)
    const { numDeletedRows } = await db
      .deleteFrom('clicks')
      .where('id', 'in', oldest)
      .where('clicked_at', '<', before)
      .executeTakeFirstOrThrow()
    if (numDeletedRows < ROWS_PER_STATEMENT) return
  }
}
