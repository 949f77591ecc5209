import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { openReadOnly } from './open-read-only.ts'
import type { StoreLocation } from './open-store.ts'
import { storePath } from './sqlite/open-sqlite-store.ts'

/** Thrown by commands that need the tables and do not create them. */
export class MissingStore extends Error {}

/** Looks without creating a folder, a file or a table. */
export async function refuseMissingStore(location: StoreLocation): Promise<void> {
  const { dataDir, databaseUrl } = location
  if (databaseUrl === undefined) {
    if (existsSync(storePath(dataDir))) return
    throw new MissingStore(
      `There is no database in ${dataDir}. Check DATA_DIR. On a new installation, tern serve creates it.`,
    )
  }
  const { db, close } = openReadOnly(location)
  try {
    const { rows } = await sql<{
      name: string | null
    }>`SELECT to_regclass('kysely_migration')::text AS name`.execute(db)
    if (rows[0]!.name === null) {
      throw new MissingStore(
        'The database of DATABASE_URL has no tables of Tern. Check DATABASE_URL. On a new installation, tern serve creates them.',
      )
    }
  } finally {
    await close()
  }
}
