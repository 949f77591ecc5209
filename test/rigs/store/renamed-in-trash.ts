import type { DurableDb } from '../../../src/store/handles.ts'

/** As in a store from before codes in the trash were reserved: a newer link may have the code. */
export const renameInTrash = (db: DurableDb, code: string, newCode: string) =>
  db.updateTable('deleted_links').set({ code: newCode }).where('code', '=', code).execute()
