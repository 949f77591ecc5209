import type { Database } from 'bun:sqlite'
import { Refusal } from '../../errors/refusal.ts'
import { refuseNewer, unappliedMigrations } from '../sqlite/database-copy.ts'

/** A server of the earlier version may be running, and would not know what to do with newer tables. */
export function refuseOtherVersion(database: Database, dataDir: string): void {
  refuseNewer(database)
  const missing = unappliedMigrations(database)
  if (missing.length === 0) return
  throw new Refusal(
    'command_failed',
    `The store in ${dataDir} is of an earlier version (it lacks ${missing.join(', ')}): start this version on it first.`,
  )
}
