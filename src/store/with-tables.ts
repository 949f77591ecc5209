import { kyselyOf, type ReadDb } from './handles.ts'
import { refuseUnfinishedRestore } from './files/unfinished-restore.ts'
import { refuseUnmigrated } from './migrations/migrate.ts'
import { refuseMissingStore } from './missing-store.ts'
import { openReadOnly } from './open-read-only.ts'
import type { StoreLocation } from './open-store.ts'

/** Gives the tables to a command that only reads. What it would have to create, migrate or repair first is refused. */
export async function withTables<Result>(
  location: StoreLocation,
  work: (db: ReadDb) => Promise<Result>,
): Promise<Result> {
  const { dataDir, databaseUrl } = location
  if (databaseUrl === undefined) refuseUnfinishedRestore(dataDir)
  await refuseMissingStore(location)
  const { db, close } = openReadOnly(location)
  try {
    await refuseUnmigrated(kyselyOf(db))
    return await work(db)
  } finally {
    await close()
  }
}
