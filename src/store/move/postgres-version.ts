import { Refusal } from '../../refusal.ts'
import { NewerStore, POSTGRES_MIGRATIONS } from '../migrate.ts'
import type { PostgresLine } from './postgres-line.ts'

/**
 * Whether there is a store. One of another version is refused, rather than brought up to date: a node of that version may
 * be running on it, and would not know what to do with newer tables.
 */
export async function hasStore(line: PostgresLine, place: string): Promise<boolean> {
  if ((await line.value(`SELECT to_regclass('kysely_migration')::text`)) === null) return false
  const rows = await line.run<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  const applied = rows.map(({ name }) => name)
  // Who was killed while it made the tables has left the list of what was made, and none of them.
  if (applied.length === 0) return false
  const unknown = applied.filter((name) => !(name in POSTGRES_MIGRATIONS))
  if (unknown.length > 0)
    throw new NewerStore(`The store in ${place} was written by a newer Tern (it has ${unknown.join(', ')}).`)
  const missing = Object.keys(POSTGRES_MIGRATIONS).filter((name) => !applied.includes(name))
  if (missing.length === 0) return true
  throw new Refusal(
    'invalid',
    `The store in ${place} is of an earlier version (it lacks ${missing.join(', ')}): start this version on it first.`,
  )
}
