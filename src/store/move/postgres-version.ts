import type { MoveConnection } from './move-connection.ts'
import { refuseOtherVersion } from './same-version.ts'

/** Whether there is a store. One of another version is refused. */
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
