import { Refusal } from '../../errors/refusal.ts'
import { pendingMigrations } from '../migrations/migrations.ts'

/** A store of an earlier version is not migrated: a server of that version may be running on it, and could not use newer tables. */
export function refuseOtherVersion(applied: readonly string[], location: string): void {
  const missing = pendingMigrations(applied, `The store in ${location}`)
  if (missing.length === 0) return
  throw new Refusal(
    'command_failed',
    `The store in ${location} is of an earlier version (it lacks ${missing.join(', ')}): start this version on it first.`,
  )
}
