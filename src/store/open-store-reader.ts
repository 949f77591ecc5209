import type { Database as SqliteDatabase } from 'bun:sqlite'
import { storePath } from './sqlite/open-sqlite-store.ts'
import { handleOn, kyselyOf, type ReadDb } from './handles.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'
import { openSqliteReader } from './sqlite/sqlite-file.ts'
import { SqliteWriter } from './sqlite/sqlite-writer.ts'
import { refuseMarked, type StoreIdentity } from './store-identity.ts'

export type StoreReader = { db: ReadDb; database: SqliteDatabase; close(): Promise<void> }

/** The tables as they are at this moment. Nothing is changed and nobody waits for it. */
export function openStoreReader(dataDir: string): StoreReader {
  const database = openSqliteReader(storePath(dataDir))
  try {
    database.run('BEGIN')
    refuseNotHere(database)
  } catch (error) {
    database.close()
    throw error
  }
  const db = handleOn<ReadDb>(sqliteDialect(new SqliteWriter(database), 'process'))
  return {
    db,
    database,
    async close() {
      await kyselyOf(db).destroy()
      database.close()
    },
  }
}

/** A store whose first start was killed has no tables yet. */
function refuseNotHere(database: SqliteDatabase): void {
  const tables = database.query(`SELECT 1 FROM sqlite_schema WHERE name = 'store_identity'`).values()
  const identity = tables.length === 0 ? null : database.query('SELECT * FROM store_identity').get()
  if (identity !== null) refuseMarked(identity as StoreIdentity)
}
