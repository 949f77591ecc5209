import { Refusal } from '../../errors/refusal.ts'
import { pendingMigrations } from '../migrations/migrations.ts'
import type { MoveConnection } from './move-connection.ts'

/** A store of an earlier version is not migrated: a server of that version may be running on it, and could not use newer tables. */
export function refuseOtherVersion(applied: readonly string[], location: string): void {
  const missing = pendingMigrations(applied, `The store in ${location}`)
  if (missing.length === 0) return
  throw new Refusal(
    'command_failed',
    `The store in ${location} is of an earlier version (it lacks ${missing.join(', ')}): start this version on it first.`,
  )
}

/** Whether there is a store on PostgreSQL. One of another version is refused. */
export async function hasStore(connection: MoveConnection, location: string): Promise<boolean> {
  if ((await connection.value(`SELECT to_regclass('kysely_migration')::text`)) === null) return false
  const rows = await connection.run<{ name: string }>('SELECT name FROM kysely_migration')
  // A process that was killed while it created the tables leaves an empty list of migrations.
  if (rows.length === 0) return false
  refuseOtherVersion(
    rows.map(({ name }) => name),
    location,
  )
  return true
}
