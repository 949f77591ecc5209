import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Kysely } from 'kysely'
import { Refusal } from '../../errors/refusal.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { isDiskFull, isNoRoom } from '../files/disk-room.ts'
import { syncFolderOf, syncPath } from '../files/durable-files.ts'
import { FolderInUse, type FolderLock, lockFolder, lockForMove } from '../files/folder-lock.ts'
import { ForeignStore, migrate } from '../migrations/migrate.ts'
import { appliedMigrations } from '../sqlite/database-copy.ts'
import { clicksFolder, storePath } from '../sqlite/open-sqlite-store.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { openSqliteFile } from '../sqlite/sqlite-file.ts'
import { SqliteWriter } from '../sqlite/sqlite-writer.ts'
import type { Database as Tables } from '../schema.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { refuseUnfinishedRestore } from '../files/unfinished-restore.ts'
import { nameOf } from './move-location.ts'
import type { MoveDestination } from './move-endpoint.ts'
import { fillFile } from './sqlite-filling.ts'
import { sqliteRowReader } from './sqlite-rows.ts'
import { type DestinationState, type Named, notEmpty, stateOf } from './destination-state.ts'
import { isEverFilled, MOVED_TABLES } from './moved-tables.ts'
import { refuseOtherVersion } from './store-version.ts'

const NOBODY: StoreIdentity = { id: '', filled_from: null, moved_to: null, moved_place: null, moved_at: null }

/**
 * Checks the data folder and puts an empty, marked database there, so that nobody else opens it before it is filled. The
 * folder's lock is optional: a node that runs on PostgreSQL may have its journal in the folder.
 */
export async function prepareSqlite(
  dataDir: string,
  source: Named & { nowUs: number },
): Promise<{ destination: MoveDestination; state: DestinationState }> {
  refuseUnfinishedRestore(dataDir)
  const location = nameOf({ engine: 'sqlite', dataDir })
  const lock = lockForMove(dataDir)
  const folderLock = lockIfFree(dataDir)
  const isNew = !existsSync(storePath(dataDir))
  try {
    const existing = readExisting(dataDir)
    const state = stateOf(source, { identity: existing?.identity ?? NOBODY, location })
    if (state === 'whole' && existing?.filledTable !== undefined)
      throw notEmpty(location, existing.filledTable)
    if (state !== 'finished') refuseOpen(dataDir)
    if (state === 'left') keepAside(dataDir, source.nowUs)
    if (state !== 'filled' && state !== 'finished') await putEmpty(dataDir, source.identity.id)
    const { id } = readExisting(dataDir)!.identity
    return { state, destination: destinationOf(dataDir, { id, location, lock, isNew }) }
  } catch (error) {
    removeFile(nextPath(dataDir))
    lock.release()
    throw withPlace(error, dataDir)
  } finally {
    folderLock?.release()
  }
}

/** Keeps servers from opening the database that is about to be replaced. If it is taken, a server has already opened one. */
function lockIfFree(dataDir: string): FolderLock | undefined {
  try {
    return lockFolder(dataDir)
  } catch (error) {
    if (error instanceof FolderInUse) return undefined
    throw error
  }
}

/** Keeps a database that was moved away and its click files: the operator decides when to delete them. */
function keepAside(dataDir: string, nowUs: number): void {
  const aside = join(dataDir, 'replaced', isoMicroseconds(nowUs).replaceAll(':', '-'))
  const clicks = clicksFolder(dataDir)
  const entries = existsSync(clicks) ? readdirSync(clicks, { withFileTypes: true }) : []
  for (const entry of entries)
    if (entry.isFile()) keepFile(join(clicks, entry.name), join(clicksFolder(aside), entry.name))
  keepFile(storePath(dataDir), storePath(aside))
}

function keepFile(path: string, aside: string): void {
  mkdirSync(dirname(aside), { recursive: true })
  try {
    linkSync(path, aside)
  } catch {
    // Not every file system has hard links.
    copyFileSync(path, aside)
    syncPath(aside)
  }
  syncFolderOf(aside)
}

async function putEmpty(dataDir: string, filledFrom: string): Promise<void> {
  const next = nextPath(dataDir)
  removeFile(next)
  const database = new Database(next, { create: true, readwrite: true, strict: true })
  const db = new Kysely<Tables>({ dialect: sqliteDialect(new SqliteWriter(database), 'full') })
  await migrate(db)
  await db.updateTable('store_identity').set({ filled_from: filledFrom }).execute()
  await db.destroy()
  database.close()
  putInPlace(dataDir)
}

const nextPath = (dataDir: string) => `${storePath(dataDir)}.next`

function removeFile(path: string): void {
  for (const each of [path, `${path}-journal`, `${path}-wal`, `${path}-shm`]) rmSync(each, { force: true })
}

function putInPlace(dataDir: string): void {
  syncPath(nextPath(dataDir))
  renameSync(nextPath(dataDir), storePath(dataDir))
  syncFolderOf(storePath(dataDir))
}

/** The folder need not be that of DATA_DIR. */
const withPlace = (error: unknown, dataDir: string): unknown =>
  isNoRoom(error) || (!(error instanceof Refusal) && isDiskFull(dataDir))
    ? new Refusal(
        'command_failed',
        `The disk that holds ${dataDir} is full, so nothing was moved. Free some space there and run the command again.`,
      )
    : error

type NewDatabase = { id: string; location: string; lock: FolderLock; isNew: boolean }

function destinationOf(dataDir: string, { id, location, lock, isNew }: NewDatabase): MoveDestination {
  let held: Database | undefined
  return {
    id,
    location,
    async fill(work, onIndexes) {
      const next = nextPath(dataDir)
      removeFile(next)
      try {
        copyFileSync(storePath(dataDir), next)
        await fillFile(next, work, onIndexes)
        putInPlace(dataDir)
      } catch (error) {
        removeFile(next)
        // Empty and marked: only a move could open it.
        if (isNew) removeFile(storePath(dataDir))
        throw withPlace(error, dataDir)
      }
    },
    async hold() {
      held = openSqliteFile(storePath(dataDir))
      held.run('BEGIN IMMEDIATE')
      return sqliteRowReader(held)
    },
    async finish() {
      // Codes may have been claimed on nodes with logs of their own: the next start writes down all of them.
      held!.run('DELETE FROM code_log')
      held!.run('UPDATE store_identity SET filled_from = NULL')
      held!.run('COMMIT')
    },
    async close() {
      if (held?.inTransaction) held.run('ROLLBACK')
      held?.close()
      lock.release()
    },
  }
}

/** An existing database: which store it is, and one of its tables that has rows. */
type ExistingStore = { identity: StoreIdentity; filledTable: string | undefined }

/** Reads the database of a data folder. Undefined if there is none. */
function readExisting(dataDir: string): ExistingStore | undefined {
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
    const applied = appliedMigrations(database)
    if (applied.length === 0) return undefined
    refuseOtherVersion(applied, dataDir)
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
function refuseOpen(dataDir: string): void {
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
