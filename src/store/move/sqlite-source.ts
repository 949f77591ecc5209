import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { DAY_US, monthOf } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { lockForMove } from '../files/folder-lock.ts'
import { appliedMigrations } from '../sqlite/database-copy.ts'
import { storePath } from '../sqlite/open-sqlite-store.ts'
import { openSqliteFile } from '../sqlite/sqlite-file.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { refuseUnfinishedRestore } from '../files/unfinished-restore.ts'
import { REFUSE_ON_SQLITE } from './moved-mark.ts'
import { nameOf } from './move-location.ts'
import { countMovedRows, movedFiles, withClosedClicks } from './closed-clicks.ts'
import type { ClosedClicks, MoveSource, OpenClosedClicks } from './move-endpoint.ts'
import { sqliteRowReader } from './sqlite-rows.ts'
import { refuseOtherVersion } from './store-version.ts'

/**
 * Freezes the store of a data folder against writes: one transaction locks it, and ends with this process. A running
 * server keeps redirecting, and keeps its clicks in the journal.
 */
export async function freezeSqlite(dataDir: string, openClosedClicks: OpenClosedClicks): Promise<MoveSource> {
  refuseUnfinishedRestore(dataDir)
  if (!existsSync(storePath(dataDir)))
    throw new Refusal('command_failed', `There is no database in ${dataDir}.`)
  const lock = lockForMove(dataDir)
  const database = openSqliteFile(storePath(dataDir))
  const closedClicks = openClosedClicks(dataDir)
  const close = async () => {
    await closedClicks.close()
    database.close()
    lock.release()
  }
  try {
    return await frozen(database, { dataDir, closedClicks, close })
  } catch (error) {
    await close()
    throw error
  }
}

type SourceParts = { dataDir: string; closedClicks: ClosedClicks; close(): Promise<void> }

async function frozen(
  database: Database,
  { dataDir, closedClicks, close }: SourceParts,
): Promise<MoveSource> {
  database.run('BEGIN IMMEDIATE')
  refuseForeign(database, dataDir)
  refuseOtherVersion(appliedMigrations(database), dataDir)
  const identity = database.query('SELECT * FROM store_identity').get() as StoreIdentity
  // Where a move was finished, they may be deleted since.
  const isMoved = identity.moved_to !== null
  const files = movedFiles(database)
  if (!isMoved) await closedClicks.check(files)
  const source = {
    database,
    clicks: closedClicks,
    files: isMoved ? files : await countMovedRows(files, closedClicks),
  }
  return {
    ...withClosedClicks(sqliteRowReader(database), source),
    location: nameOf({ engine: 'sqlite', dataDir }),
    identity,
    async clickMonths() {
      const days = database.query(CLICK_DAYS).values().flat()
      return [...new Set(days.map((day) => monthOf(Number(day) * DAY_US)))]
    },
    async leaveFor({ id, location }, nowUs) {
      // If SQLite has rolled back by itself, others may have written.
      if (!database.inTransaction) throw new Error('The freeze has ended before the move.')
      for (const statement of REFUSE_ON_SQLITE) database.run(statement)
      database.run('UPDATE store_identity SET moved_to = ?, moved_place = ?, moved_at = ?', [
        id,
        location,
        nowUs,
      ])
      database.run('COMMIT')
    },
    async close() {
      if (database.inTransaction) database.run('ROLLBACK')
      await close()
    },
  }
}

/** A file has clicks of one month. */
const CLICK_DAYS = `SELECT DISTINCT clicked_at / ${DAY_US} FROM clicks
  UNION SELECT from_us / ${DAY_US} FROM click_files WHERE removed_at IS NULL`

function refuseForeign(database: Database, dataDir: string): void {
  const tables = database.query(`SELECT name FROM sqlite_schema WHERE type = 'table'`).values().flat()
  if (!tables.includes('kysely_migration'))
    throw new Refusal('command_failed', `The database in ${dataDir} is not Tern's.`)
}
