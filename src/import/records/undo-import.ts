import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { recordChange } from '../../audit/record-change.ts'
import { Refusal } from '../../errors/refusal.ts'
import { dryRun } from '../../links/link-fields.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, ReadOnlyDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { choice } from '../../validation/field-rules.ts'
import { findImport } from './find-import.ts'
import {
  IN_USE_CHOICES,
  type ImportRecord,
  type ImportUndo,
  UNDO_DAYS,
  undoableSinceUs,
} from './import-record.ts'
import { countImportedLinks } from './imported-links.ts'

export const undoFields = z.object({
  edited: choice(IN_USE_CHOICES).default('keep').meta({
    description:
      'For links that were edited or clicked since they were imported. `keep`: they stay. `trash`: they are moved to the trash too.',
  }),
  dry_run: dryRun,
})

type UndoDeps = { db: DurableDb; listDb: ReadOnlyDb; clock: Pick<Clock, 'nowUs'> }

/** `links`: those of the import that are there now, `inUse` of them edited or clicked since. */
export type UndoPlan = { record: ImportRecord; links: number; inUse: number }

/** Has all links moved to the trash that the import created: see undoImports. A dry run only says how many there are. */
export async function undoImport(
  { db, listDb, clock }: UndoDeps,
  caller: Caller,
  { importId, edited, isDryRun }: { importId: number; edited: ImportUndo['edited']; isDryRun: boolean },
): Promise<UndoPlan> {
  const nowUs = clock.nowUs()
  refuseKept(await findImport({ db }, caller, importId), nowUs)
  const counts = await countImportedLinks({ db: listDb }, importId)
  if (isDryRun) return { record: await findImport({ db }, caller, importId), ...counts }
  const { userId, keyId, actor, client } = caller
  const undo: ImportUndo = { edited, userId, actor, client, ...(keyId !== undefined && { keyId }) }
  const record = await transact(db, async (tx) => {
    const row = await tx
      .updateTable('imports')
      .set((eb) => ({
        undone_at: nowUs,
        undo: JSON.stringify(undo),
        ended_at: eb.fn.coalesce('ended_at', eb.val(nowUs)),
      }))
      .where('id', '=', importId)
      .where('workspace_id', '=', caller.workspaceId)
      .where('undone_at', 'is', null)
      .returning('source')
      .executeTakeFirst()
    // Somebody else was faster.
    if (row === undefined) throw kept(UNDO_BEGUN)
    const change = { nowUs, action: 'import.undone', target: row.source, targetId: importId } as const
    await recordChange(tx, caller, { ...change, changes: { edited: { from: null, to: edited } } })
    return findImport({ db: tx }, caller, importId)
  })
  return { record, ...counts }
}

function refuseKept({ state, createdAtUs }: ImportRecord, nowUs: number): void {
  if (state === 'undoing') throw kept(UNDO_BEGUN)
  if (state === 'undone') throw kept(UNDONE)
  if (createdAtUs <= undoableSinceUs(nowUs)) throw kept(TOO_OLD)
}

const UNDO_BEGUN = 'The undo of the import has begun already, and goes on by itself.'
const UNDONE =
  'The import was undone already, which can be done once. Links that it has kept can be deleted in the list of links, with the filter for this import.'
const TOO_OLD = `The import began more than ${UNDO_DAYS} days ago, so it cannot be undone any more. Its links can be deleted in the list of links, with the filter for this import.`

const kept = (sentence: string) => new Refusal('import_kept', sentence)
