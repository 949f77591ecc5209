import { Database } from 'bun:sqlite'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isoMicroseconds, systemClock } from '../clock.ts'

/** Thrown when another process serves the data folder. */
export class FolderInUse extends Error {}

// Module-global on purpose: SQLite's lock is dropped, silently, when a handle is collected as garbage.
const held = new Map<string, Database>()

/**
 * Takes the data folder for this process until it ends, however it ends: the operating system drops the lock of a
 * killed process. Whoever comes second is told who holds it.
 */
export function lockFolder(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true })
  const holderPath = join(dataDir, 'lock.holder')
  const database = new Database(join(dataDir, 'lock.db'), { create: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new FolderInUse(
      `The data folder ${dataDir} is in use by ${readHolder(holderPath)}. One folder serves one process.`,
    )
  }
  held.set(dataDir, database)
  writeFileSync(
    holderPath,
    `process ${process.pid} on ${hostname()}, started ${isoMicroseconds(systemClock.nowUs())}`,
  )
  return {
    release() {
      held.delete(dataDir)
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
