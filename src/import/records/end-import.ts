import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { findImport } from './find-import.ts'
import type { ImportRecord } from './import-record.ts'

/** It takes no more links. An import that has ended stays as it is. */
export function endImport(
  { db, clock }: { db: DurableDb; clock: Pick<Clock, 'nowUs'> },
  caller: Caller,
  importId: number,
): Promise<ImportRecord> {
  return transact(db, async (tx) => {
    const open = tx.updateTable('imports').set({ ended_at: clock.nowUs() }).where('id', '=', importId)
    await open.where('workspace_id', '=', caller.workspaceId).where('ended_at', 'is', null).execute()
    return findImport({ db: tx }, caller, importId)
  })
}
