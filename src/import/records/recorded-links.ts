import type { CurrentDb } from '../../store/handles.ts'
import { IMPORT_RESULTS } from '../import-fields.ts'

/** How many links are in the record of an import. */
export async function recordedLinks(db: CurrentDb, importId: number): Promise<number> {
  const row = await db
    .selectFrom('imports')
    .select(IMPORT_RESULTS)
    .where('id', '=', importId)
    .executeTakeFirst()
  return row === undefined ? 0 : IMPORT_RESULTS.reduce((sum, result) => sum + row[result], 0)
}
