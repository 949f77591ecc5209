import type { Caller } from '../../access/caller.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Page, readPage } from '../../store/page-of-rows.ts'
import { type ImportRecord, toImportRecord } from './import-record.ts'

/** A page of the imports of the workspace, the latest first, and how many there are in all. */
export async function listImports(
  { db }: { db: ReadOnlyDb },
  { workspaceId }: Caller,
  page: Page,
): Promise<{ imports: ImportRecord[]; total: number }> {
  const own = db.selectFrom('imports').selectAll().where('workspace_id', '=', workspaceId)
  const { rows, total } = await readPage(own.orderBy('id', 'desc'), page)
  return { imports: rows.map(toImportRecord), total }
}
