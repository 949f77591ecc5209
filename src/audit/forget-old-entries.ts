import { DAY_US } from '../runtime/clock.ts'
import { freeToRemove } from '../store/engine-sql.ts'
import type { RelaxedDb } from '../store/handles.ts'
import { transact } from '../store/transact.ts'

/** Rows per transaction, so that nobody waits long for a step. */
const ROWS_MAX = 500

/** Removes the entries that are kept no longer. */
export async function forgetOldEntries(
  db: RelaxedDb,
  { nowUs, keepDays }: { nowUs: number; keepDays: number },
): Promise<void> {
  while (await forgetSome(db, nowUs - keepDays * DAY_US));
}

/** The oldest have the lowest ids, so there is no index by time alone. */
function forgetSome(db: RelaxedDb, untilUs: number): Promise<boolean> {
  return transact(db, async (tx) => {
    const oldest = tx.selectFrom('audit_log').select(['id', 'happened_at']).orderBy('id').limit(ROWS_MAX)
    const rows = await freeToRemove(tx, oldest).execute()
    const ids = rows.filter(({ happened_at: at }) => at <= untilUs).map(({ id }) => id)
    if (ids.length === 0) return false
    await tx.deleteFrom('audit_log').where('id', 'in', ids).execute()
    return ids.length === ROWS_MAX
  })
}
