import { Refusal } from '../../errors/refusal.ts'
import { NewerStore, POSTGRES_MIGRATIONS } from '../migrations/migrate.ts'
import type { MoveConnection } from './move-connection.ts'

/**
 * Whether there is a store. One of an earlier version is refused, not migrated: a node of that version may be running on
 * it, and could not use newer tables.
 */
export async function hasStore(connection: MoveConnection, location: string): Promise<boolean> {
  if ((await connection.value(`SELECT to_regclass('kysely_migration')::text`)) === null) return false
  const rows = await connection.run<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  const applied = rows.map(({ name }) => name)
  // A process that was killed while it created the tables leaves an empty list of migrations.
  if (applied.length === 0) return false
  const unknown = applied.filter((name) => !(name in POSTGRES_MIGRATIONS))
  if (unknown.length > 0)
    throw new NewerStore(
      `The store in ${location} was written by a newer Tern (it has ${unknown.join(', ')}).`,
    )
  const missing = Object.keys(POSTGRES_MIGRATIONS).filter((name) => !applied.includes(name))
  if (missing.length === 0) return true
  throw new Refusal(
    'command_failed',
    `The store in ${location} is of an earlier version (it lacks ${missing.join(', ')}): start this version on it first.`,
  )
}
