import { statSync } from 'node:fs'
import { databaseErrors, refuseNewer, unappliedMigrations } from '../store/sqlite/database-copy.ts'
import { storePath } from '../store/sqlite/open-sqlite-store.ts'
import type { StoreReader } from '../store/open-store-reader.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'

/** Far beyond the usual checkpoint. */
const WAL_BYTES_MAX = 512 * 2 ** 20

/** Whether the file is intact, and of this version. */
export function checkDatabase({ database }: StoreReader, dataDir: string): Finding[] {
  const path = storePath(dataDir)
  const complaints: Problem[] = databaseErrors(database, 'integrity_check').map((each) =>
    fault(`The database is damaged: ${each}. Restore a backup.`),
  )
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (walBytes > WAL_BYTES_MAX) {
    complaints.push(
      warning(`tern.db-wal has ${walBytes} bytes: a program has been reading the database for a long time.`),
    )
  }
  return [
    ...findings('database', complaints, `${statSync(path).size} bytes, intact.`),
    ...findings('schema', schemaComplaints(database), 'The tables match this version.'),
  ]
}

function schemaComplaints(database: StoreReader['database']): Problem[] {
  try {
    refuseNewer(database)
  } catch (error) {
    return [fault((error as Error).message)]
  }
  const unapplied = unappliedMigrations(database)
  if (unapplied.length === 0) return []
  return [warning(`The next start migrates the tables (${unapplied.join(', ')}).`)]
}
