import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { recordChange } from '../../audit/record-change.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { lineOfText, REQUIRED } from '../../validation/field-rules.ts'
import { type ImportRecord, toImportRecord } from './import-record.ts'

const SOURCE_LENGTH_MAX = 60

export const newImport = z.object({
  source: lineOfText(SOURCE_LENGTH_MAX)
    .transform((text) => text.trim())
    .refine((text) => text !== '', REQUIRED)
    .meta({ description: 'What the links come from: the program or the file.', example: 'bitly' }),
})

/** What `POST /links/import` then names as `import_id`. */
export function beginImport(
  { db, clock }: { db: DurableDb; clock: Pick<Clock, 'nowUs'> },
  caller: Caller,
  { source }: z.output<typeof newImport>,
): Promise<ImportRecord> {
  return transact(db, (tx) => addImport(tx, caller, { source, nowUs: clock.nowUs() }))
}

export async function addImport(
  tx: Tx,
  caller: Caller,
  { source, nowUs }: { source: string; nowUs: number },
): Promise<ImportRecord> {
  const row = await tx
    .insertInto('imports')
    .values({
      workspace_id: caller.workspaceId,
      source,
      actor: caller.actor,
      created_at: nowUs,
      ended_at: null,
      undone_at: null,
      undo: null,
      undo_ended_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChange(tx, caller, { nowUs, action: 'import.started', target: source, targetId: row.id })
  return toImportRecord(row)
}
