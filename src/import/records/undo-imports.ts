import type { Caller } from '../../access/caller.ts'
import type { LinksTx } from '../../links/change-links.ts'
import type { LinkKey } from '../../links/link-key.ts'
import { moveToTrash } from '../../links/trash/delete-link.ts'
import type { Clock } from '../../runtime/clock.ts'
import { lockedToChange } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { type ImportUndo, readUndo } from './import-record.ts'
import { nextImportedLinks } from './imported-links.ts'

/** Links per transaction, so that nobody who writes waits longer than some hundredths of a second for a step. */
const LINKS_PER_STEP = 100

type UndoJobDeps = {
  db: DurableDb
  clock: Pick<Clock, 'nowUs'>
  /** Whether the program is about to stop: the next start goes on. */
  isStopping(): boolean
  /** Every key of links that are in the trash now. */
  onLinksChanged(keys: readonly LinkKey[]): void
}

/** Does what undoImport has left to do, in steps that can be interrupted anywhere: each is one transaction that says how far it went. */
export async function undoImports(deps: UndoJobDeps): Promise<void> {
  const undone = await deps.db
    .selectFrom('imports')
    .select('id')
    .where('undone_at', 'is not', null)
    .where('undo_ended_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of undone) while (!deps.isStopping() && (await undoSome(deps, id)));
}

async function undoSome({ db, clock, onLinksChanged }: UndoJobDeps, importId: number): Promise<boolean> {
  const { isLast, changedKeys } = await transact(db, async (tx) => {
    const change: LinksTx = { tx, nowUs: clock.nowUs(), claims: [], changedKeys: [], afterCommit: [] }
    return { isLast: await undoStep(change, importId), changedKeys: change.changedKeys }
  })
  if (changedKeys.length > 0) onLinksChanged(changedKeys)
  return !isLast
}

/** Gives whether nothing is left to do. */
async function undoStep(change: LinksTx, importId: number): Promise<boolean> {
  const { tx, nowUs } = change
  const record = await lockedUndo(tx, importId)
  if (record === undefined) return true
  const { caller, edited, after } = record
  const links = await nextImportedLinks(tx, { importId, after, limit: LINKS_PER_STEP }).execute()
  const own = tx.updateTable('imports').where('id', '=', importId)
  const last = links.at(-1)
  if (last === undefined) {
    await own.set({ undo_ended_at: nowUs }).execute()
    return true
  }
  const ids = links.filter(({ isInUse }) => edited === 'trash' || isInUse === 0).map(({ id }) => id)
  const trashed = ids.length === 0 ? 0 : await moveToTrash(change, caller, ids)
  await own
    .set((eb) => ({
      undo_position: last.id,
      trashed: eb('trashed', '+', trashed),
      spared: eb('spared', '+', links.length - ids.length),
    }))
    .execute()
  return false
}

type LockedUndo = { caller: Caller; edited: ImportUndo['edited']; after: number }

/** Steps of several nodes take turns. Undefined once the undo has ended. */
async function lockedUndo(tx: Tx, importId: number): Promise<LockedUndo | undefined> {
  const query = tx.selectFrom('imports').selectAll().where('id', '=', importId)
  const row = await lockedToChange(tx, query).executeTakeFirst()
  if (row === undefined || row.undo === null || row.undo_ended_at !== null) return undefined
  const { edited, ...by } = readUndo(row.undo)
  const caller: Caller = { ...by, workspaceId: row.workspace_id, can: () => true }
  return { caller, edited, after: row.undo_position }
}
