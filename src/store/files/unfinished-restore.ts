import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { whenMissing } from './when-missing.ts'

/** Exists while a restore replaces files: until then the folder has no database, or an incomplete one. */
export const unfinishedRestorePath = (dataDir: string): string => join(dataDir, 'restore.unfinished')

/** Thrown when a restore of the data folder was interrupted. */
export class UnfinishedRestore extends Error {}

/** Where the interrupted restore keeps the files it replaces. */
export function unfinishedRestore(dataDir: string): string | undefined {
  try {
    return readFileSync(unfinishedRestorePath(dataDir), 'utf8').trim()
  } catch (error) {
    return whenMissing(undefined)(error)
  }
}

/** Call it before opening the store: SQLite would create a new database. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (unfinishedRestore(dataDir) === undefined) return
  throw new UnfinishedRestore(
    `A restore into ${dataDir} was interrupted. Run tern restore again, with the same backup or another one.`,
  )
}
