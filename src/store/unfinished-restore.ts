import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** There while a restore puts files in place: until it is finished, the folder has no database, or half of one. */
export const unfinishedRestorePath = (dataDir: string): string => join(dataDir, 'restore.unfinished')

/** Thrown when the data folder is in the middle of a restore that nobody goes on with. */
export class UnfinishedRestore extends Error {}

/** Where the interrupted restore puts what it replaces; undefined when there is none. */
export function unfinishedRestore(dataDir: string): string | undefined {
  try {
    return readFileSync(unfinishedRestorePath(dataDir), 'utf8').trim()
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

/** To be called before the store is opened: SQLite would make a new database where there is none. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (unfinishedRestore(dataDir) === undefined) return
  throw new UnfinishedRestore(
    `A restore into ${dataDir} was interrupted. Run tern restore again, with the same backup or another one.`,
  )
}
