import type { Caller } from '../../access/caller.ts'
import { freeToRemove } from '../../store/engine-sql.ts'
import type { RelaxedDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { recordLinkChanges } from '../link-changes.ts'
import { noSuchLink } from '../find-link.ts'
import { removeLinkHistory, takeFromTrash, type TrashKey } from './deleted-links.ts'
import type { RestoreLinkDeps } from './restore-link.ts'
import { inTrashSinceUs } from './trash-period.ts'

/** Rows per transaction, so that nobody waits long for a step. */
const ROWS_MAX = 500

/** Removes a link from the trash for good. Its code stays its owner's, and its clicks stay counted. */
export async function deleteForGood(
  { db, clock, trashDays }: RestoreLinkDeps,
  caller: Caller,
  key: TrashKey,
): Promise<void> {
  const nowUs = clock.nowUs()
  const sinceUs = inTrashSinceUs(nowUs, trashDays)
  await transact(db, async (tx) => {
    const row = await takeFromTrash(tx, caller, { key, sinceUs })
    if (row === undefined) throw noSuchLink()
    await removeLinkHistory(tx, [row.id])
    const links = [{ id: row.id, domainId: row.domain_id, code: row.code, changes: {} }]
    await recordLinkChanges(tx, caller, { nowUs, action: 'link.deleted_for_good', links })
  })
}

/** Removes the links that have been in the trash for long enough. */
export async function forgetDeletedLinks(
  db: RelaxedDb,
  { nowUs, trashDays }: { nowUs: number; trashDays: number },
): Promise<void> {
  const untilUs = inTrashSinceUs(nowUs, trashDays)
  while (await forgetSome(db, untilUs));
}

function forgetSome(db: RelaxedDb, untilUs: number): Promise<boolean> {
  return transact(db, async (tx) => {
    const old = tx.selectFrom('deleted_links').select('id').where('deleted_at', '<=', untilUs).limit(ROWS_MAX)
    const ids = (await freeToRemove(tx, old).execute()).map(({ id }) => id)
    if (ids.length === 0) return false
    await tx.deleteFrom('deleted_links').where('id', 'in', ids).execute()
    await removeLinkHistory(tx, ids)
    return ids.length === ROWS_MAX
  })
}
