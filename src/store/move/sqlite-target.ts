import { Database } from 'bun:sqlite'
import { copyFileSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Kysely } from 'kysely'
import { isoMicroseconds } from '../../clock.ts'
import { syncFolderOf, syncPath } from '../durable-files.ts'
import { FolderInUse, type FolderLock, lockFolder, lockForMove } from '../folder-lock.ts'
import { migrate, SQLITE_MIGRATIONS } from '../migrate.ts'
import { storePath } from '../open-sqlite-store.ts'
import type { Db } from '../open-store.ts'
import { sqliteDialect } from '../sqlite-dialect.ts'
import { openSqliteFile } from '../sqlite-file.ts'
import { SqliteWriter } from '../sqlite-writer.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { refuseUnfinishedRestore } from '../unfinished-restore.ts'
import { nameOf } from './move-place.ts'
import type { MoveTarget } from './move-side.ts'
import { readExisting, refuseOpen } from './sqlite-existing.ts'
import { fillFile } from './sqlite-filling.ts'
import { sqliteLines } from './sqlite-lines.ts'
import { type Named, notEmpty, stateOf, type TargetState } from './target-state.ts'

const NOBODY: StoreIdentity = { id: '', filled_from: null, moved_to: null, moved_place: null, moved_at: null }

/**
 * Looks at the data folder that is to be filled, and puts an empty database there with a mark, so that nobody else opens
 * it until it is. A node that runs on PostgreSQL may have its journal in the folder, so the folder's lock is not needed.
 */
export async function prepareSqlite(
  dataDir: string,
  source: Named & { nowUs: number },
): Promise<{ target: MoveTarget; state: TargetState }> {
  refuseUnfinishedRestore(dataDir)
  const place = nameOf({ engine: 'sqlite', dataDir })
  const lock = lockForMove(dataDir)
  const folderLock = lockIfFree(dataDir)
  try {
    const existing = readExisting(dataDir)
    const state = stateOf(source, { identity: existing?.identity ?? NOBODY, place })
    if (state === 'whole' && existing?.filledTable !== undefined) throw notEmpty(place, existing.filledTable)
    if (state !== 'finished') refuseOpen(dataDir)
    if (state === 'left') keepAside(dataDir, source.nowUs)
    if (state !== 'filled' && state !== 'finished') await putEmpty(dataDir, source.identity.id)
    const { id } = readExisting(dataDir)!.identity
    return { state, target: targetOf(dataDir, { id, place, lock }) }
  } catch (error) {
    lock.release()
    throw error
  } finally {
    folderLock?.release()
  }
}

/** So that no server opens the database that is about to be replaced. Where it is held, one has opened its store already. */
function lockIfFree(dataDir: string): FolderLock | undefined {
  try {
    return lockFolder(dataDir)
  } catch (error) {
    if (error instanceof FolderInUse) return undefined
    throw error
  }
}

/** What was moved away once is of no use any more, but it is not for us to say so. It has its place until another takes it. */
function keepAside(dataDir: string, nowUs: number): void {
  const path = storePath(dataDir)
  const aside = join(dataDir, 'replaced', isoMicroseconds(nowUs).replaceAll(':', '-'), basename(path))
  mkdirSync(dirname(aside), { recursive: true })
  try {
    linkSync(path, aside)
  } catch {
    // Not every file system has a second name for a file.
    copyFileSync(path, aside)
    syncPath(aside)
  }
  syncFolderOf(aside)
}

async function putEmpty(dataDir: string, filledFrom: string): Promise<void> {
  const next = nextPath(dataDir)
  removeFile(next)
  const database = new Database(next, { create: true, readwrite: true, strict: true })
  const db: Db = new Kysely({ dialect: sqliteDialect(new SqliteWriter(database), 'full') })
  await migrate(db, SQLITE_MIGRATIONS)
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

type Prepared = { id: string; place: string; lock: FolderLock }

function targetOf(dataDir: string, { id, place, lock }: Prepared): MoveTarget {
  let held: Database | undefined
  return {
    id,
    place,
    async fill(work, onIndexes) {
      const next = nextPath(dataDir)
      removeFile(next)
      copyFileSync(storePath(dataDir), next)
      await fillFile(next, work, onIndexes)
      putInPlace(dataDir)
    },
    async hold() {
      held = openSqliteFile(storePath(dataDir))
      held.run('BEGIN IMMEDIATE')
      return sqliteLines(held)
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
