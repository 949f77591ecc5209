import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { Refusal } from '../../errors/refusal.ts'
import { ForeignStore } from '../migrations/migrate.ts'
import { storePath } from '../sqlite/open-sqlite-store.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { isEverFilled, MOVED_TABLES } from './moved-tables.ts'
import { refuseOtherVersion } from './sqlite-version.ts'

/** An existing database: which store it is, and one of its tables that has rows. */
export type ExistingStore = { identity: StoreIdentity; filledTable: string | undefined }

/** Reads the database of a data folder. Undefined if there is none. */
export function readExisting(dataDir: string): ExistingStore | undefined {
  if (!existsSync(storePath(dataDir))) return undefined
  const database = new Database(storePath(dataDir), { readwrite: true, strict: true })
  try {
    const tables = database.query(`SELECT name FROM sqlite_schema WHERE type = 'table'`).values().flat()
    if (tables.length === 0) return undefined
    if (!tables.includes('kysely_migration'))
      throw new ForeignStore(
        `The database in ${dataDir} holds the tables of another program (${tables[0]} and so on).`,
      )
    // A process that was killed while it created the tables leaves an empty list of migrations.
    if (database.query('SELECT 1 FROM kysely_migration LIMIT 1').get() === null) return undefined
    refuseOtherVersion(database, dataDir)
    return {
      identity: database.query('SELECT * FROM store_identity').get() as StoreIdentity,
      filledTable: MOVED_TABLES.filter((each) => !isEverFilled(each)).find(
        (table) => database.query(`SELECT 1 FROM ${table} LIMIT 1`).values().length > 0,
      ),
    }
  } finally {
    database.close()
  }
}

/**
 * Call this before replacing the database: a process that has it open would keep using a file that nobody else reads.
 * Only the sole user of a file can disable its write-ahead log, which also moves the log's content into the file.
 */
export function refuseOpen(dataDir: string): void {
  if (!existsSync(storePath(dataDir))) return
  const database = new Database(storePath(dataDir), { readwrite: true, strict: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA journal_mode = DELETE')
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Refusal('command_failed', `A program has the database in ${dataDir} open. Stop it first.`)
  } finally {
    database.close()
  }
}
