import { Kysely } from 'kysely'
import type { Database as SqliteDatabase } from 'bun:sqlite'
import { storePath } from './open-sqlite-store.ts'
import type { Db } from './open-store.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { openSqliteReader } from './sqlite-file.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { refuseMarked, type StoreIdentity } from './store-identity.ts'

export type StoreReader = { db: Db; database: SqliteDatabase; close(): Promise<void> }

/** The tables as they are at this moment, until it is closed: nothing is changed, and nobody is held up. */
export function openStoreReader(dataDir: string): StoreReader {
  const database = openSqliteReader(storePath(dataDir))
  try {
    database.run('BEGIN')
    refuseElsewhere(database)
  } catch (error) {
    database.close()
    throw error
  }
  // Every write is refused by the handle itself.
  const db: Db = new Kysely({ dialect: sqliteDialect(new SqliteWriter(database), 'process') })
  return {
    db,
    database,
    async close() {
      await db.destroy()
      database.close()
    },
  }
}

/** A store of an earlier version has no identity yet. */
function refuseElsewhere(database: SqliteDatabase): void {
  const tables = database.query(`SELECT 1 FROM sqlite_schema WHERE name = 'store_identity'`).values()
  const identity = tables.length === 0 ? null : database.query('SELECT * FROM store_identity').get()
  if (identity !== null) refuseMarked(identity as StoreIdentity)
}
