import type { Caller } from '../../access/caller.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AnyDb, CurrentDb } from '../../store/handles.ts'
import { type ImportRecord, toImportRecord, UNDO_DAYS, undoableSinceUs } from './import-record.ts'

/** An import of the caller's workspace. One of another workspace is refused exactly like one that does not exist. */
export async function findImport(
  { db }: { db: AnyDb },
  caller: Caller,
  importId: number,
): Promise<ImportRecord> {
  const record = await importOf(db, caller, importId)
  if (record === undefined) throw noSuchImport()
  return record
}

async function importOf(
  db: AnyDb,
  { workspaceId }: Caller,
  importId: number,
): Promise<ImportRecord | undefined> {
  const row = await db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', importId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row && toImportRecord(row)
}

/** For links that name the import that they are part of. */
export async function refuseClosedImport(
  { readDb, clock }: { readDb: CurrentDb; clock: Pick<Clock, 'nowUs'> },
  caller: Caller,
  importId: number,
): Promise<void> {
  const record = await importOf(readDb, caller, importId)
  if (record === undefined) throw invalid({ import_id: ['The workspace has no import with this ID.'] })
  const isTooOld = record.createdAtUs <= undoableSinceUs(clock.nowUs())
  if (record.state !== 'open' || isTooOld) throw importClosed(record)
}

const noSuchImport = () => new Refusal('import_not_found', 'Import not found.')

/** An import that is open, but takes no links all the same, is too old. */
export const importClosed = ({ state }: Pick<ImportRecord, 'state'>) =>
  new Refusal('import_closed', `${WHY_CLOSED[state]} Begin another one.`)

const WHY_CLOSED: Record<ImportRecord['state'], string> = {
  open: `The import began more than ${UNDO_DAYS} days ago.`,
  ended: 'The import has ended.',
  undoing: 'The import is being undone.',
  undone: 'The import was undone.',
}
