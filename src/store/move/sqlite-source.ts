import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { DAY_US } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import { lockForMove } from '../folder-lock.ts'
import { storePath } from '../open-sqlite-store.ts'
import { openSqliteFile } from '../sqlite-file.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { refuseUnfinishedRestore } from '../unfinished-restore.ts'
import { REFUSE_ON_SQLITE } from './moved-mark.ts'
import { nameOf } from './move-place.ts'
import type { MoveSource } from './move-side.ts'
import { sqliteLines } from './sqlite-lines.ts'
import { refuseOtherVersion } from './sqlite-version.ts'

/**
 * Freezes the store of a data folder for whoever writes: one transaction keeps them out, and ends with this process. A
 * server that runs redirects on, and keeps its clicks in the journal.
 */
export function freezeSqlite(dataDir: string): MoveSource {
  refuseUnfinishedRestore(dataDir)
  if (!existsSync(storePath(dataDir))) throw new Refusal('invalid', `There is no database in ${dataDir}.`)
  const lock = lockForMove(dataDir)
  const database = openSqliteFile(storePath(dataDir))
  const close = () => {
    database.close()
    lock.release()
  }
  try {
    return frozen(database, { dataDir, close })
  } catch (error) {
    close()
    throw error
  }
}

function frozen(database: Database, { dataDir, close }: { dataDir: string; close(): void }): MoveSource {
  database.run('BEGIN IMMEDIATE')
  refuseForeign(database, dataDir)
  refuseOtherVersion(database, dataDir)
  return {
    ...sqliteLines(database),
    place: nameOf({ engine: 'sqlite', dataDir }),
    identity: database.query('SELECT * FROM store_identity').get() as StoreIdentity,
    clickDays: async () =>
      database.query(`SELECT DISTINCT clicked_at / ${DAY_US} FROM clicks`).values().flat().map(Number),
    async leaveFor({ id, place }, nowUs) {
      // SQLite may have rolled back by itself, and then everybody could have written.
      if (!database.inTransaction) throw new Error('The freeze has ended before the move.')
      for (const statement of REFUSE_ON_SQLITE) database.run(statement)
      database.run('UPDATE store_identity SET moved_to = ?, moved_place = ?, moved_at = ?', [
        id,
        place,
        nowUs,
      ])
      database.run('COMMIT')
    },
    async close() {
      if (database.inTransaction) database.run('ROLLBACK')
      close()
    },
  }
}

function refuseForeign(database: Database, dataDir: string): void {
  const tables = database.query(`SELECT name FROM sqlite_schema WHERE type = 'table'`).values().flat()
  if (!tables.includes('kysely_migration'))
    throw new Refusal('invalid', `The database in ${dataDir} is not Tern's.`)
}
