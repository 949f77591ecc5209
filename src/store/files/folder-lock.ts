import { Database } from 'bun:sqlite'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { isoMicroseconds, systemClock } from '../../runtime/clock.ts'

/** Thrown when another process serves the data folder. */
export class FolderInUse extends Error {}

// Module-global: SQLite drops the lock when a handle is garbage-collected.
const locks = new Map<string, Database>()

/**
 * Locks the data folder for this process until it ends. The operating system also releases the lock of a killed process. A
 * second process gets an error that names the holder.
 */
export const lockFolder = (dataDir: string): FolderLock =>
  takeLock(
    join(dataDir, 'lock'),
    (holder) => `The data folder ${dataDir} is in use by ${holder}. One folder serves one process.`,
  )

/**
 * The same for the folder's journal. Everything that reads or writes a journal takes it, even in a folder of another node:
 * a reader treats segments of other runs as closed, so no other run may still write one.
 */
export const lockJournal = (dataDir: string): FolderLock =>
  takeLock(
    join(dataDir, 'journal-lock'),
    (holder) => `The click journal in ${dataDir} is in use by ${holder}. One process at a time reads it.`,
  )

/** The same for moving the folder's store, which runs beside the process that serves it. */
export const lockForMove = (dataDir: string): FolderLock =>
  takeLock(join(dataDir, 'move'), (holder) => `The store in ${dataDir} is being moved by ${holder}.`)

/** The same for a backup of the folder. Undefined for a user who may only read there, and so cannot lock anything. */
export function lockForBackup(dataDir: string): FolderLock | undefined {
  try {
    return takeLock(join(dataDir, 'backup'), (holder) => `A backup of ${dataDir} is being made by ${holder}.`)
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    return undefined
  }
}

export type FolderLock = { release(): void }

function takeLock(path: string, refusal: (holder: string) => string): FolderLock {
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(`${path}.db`, { create: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new FolderInUse(refusal(readHolder(`${path}.holder`)))
  }
  locks.set(path, database)
  writeFileSync(
    `${path}.holder`,
    `process ${process.pid} on ${hostname()}, started ${isoMicroseconds(systemClock.nowUs())}`,
  )
  return {
    release() {
      locks.delete(path)
      database.close()
    },
  }
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return 'another process'
  }
}
