import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../store/handles.ts'
import { IMPORT_RESULTS, type ImportCounts } from '../import-fields.ts'
import { findImport, importClosed } from './find-import.ts'

type Group = { caller: Caller; request: { importId?: number | undefined } }

/**
 * Adds the results of some links to the import that they are part of, if any. Refused if it was ended or undone since the request
 * began: an undo then has all links of the import before it.
 */
export async function addResults(
  { tx }: { tx: Tx },
  { caller, request: { importId } }: Group,
  counts: Partial<ImportCounts>,
): Promise<void> {
  if (importId === undefined) return
  const added = IMPORT_RESULTS.filter((result) => (counts[result] ?? 0) !== 0)
  const row = await tx
    .updateTable('imports')
    .set((eb) =>
      // An UPDATE needs a column.
      Object.fromEntries(
        ['skipped' as const, ...added].map((name) => [name, eb(name, '+', counts[name] ?? 0)]),
      ),
    )
    .where('id', '=', importId)
    .where('workspace_id', '=', caller.workspaceId)
    .where('ended_at', 'is', null)
    .where('undone_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw importClosed(await findImport({ db: tx }, caller, importId))
}
