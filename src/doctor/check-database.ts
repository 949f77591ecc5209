import { statSync } from 'node:fs'
import { appliedMigrations, databaseErrors } from '../store/sqlite/database-copy.ts'
import { storePath } from '../store/sqlite/open-sqlite-store.ts'
import type { StoreReader } from '../store/open-store-reader.ts'
import { schemaComplaints } from './check-schema.ts'
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
    ...findings('schema', schemaComplaints(appliedMigrations(database)), 'The tables match this version.'),
  ]
}
