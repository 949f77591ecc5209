import { sql } from 'kysely'
import type { CurrentDb } from '../store/handles.ts'
import { encodingComplaint, postgresComplaint } from '../store/postgres/postgres-complaint.ts'
import { refuseNotInUse } from '../store/store-identity.ts'
import { schemaComplaints } from './check-schema.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'

type ServerState = {
  version: string
  fsync: string
  full_pages: string
  standby: boolean
  encoding: string
  is_empty: boolean
}

const EMPTY = warning(
  'The database has no tables of Tern. The first start creates them. If Tern ran here before, check DATABASE_URL.',
)

/** Whether the server accepts writes and keeps them, and the tables are of this version. */
export async function checkPostgres(db: CurrentDb, tryToWrite: () => Promise<void>): Promise<Finding[]> {
  const { rows } = await sql<ServerState>`SELECT current_setting('server_version') AS version,
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_pages,
    pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding,
    to_regclass('kysely_migration') IS NULL AS is_empty`.execute(db)
  const { version, fsync, full_pages: fullPages, standby, encoding, is_empty: isEmpty } = rows[0]!
  const complaints: Problem[] = []
  if (fsync !== 'on' || fullPages !== 'on') {
    complaints.push(
      fault('PostgreSQL runs with fsync or full_page_writes off: a power failure can destroy the database.'),
    )
  }
  if (standby) complaints.push(fault('DATABASE_URL points to a standby, which is read-only.'))
  const inEncoding = encodingComplaint(encoding)
  if (inEncoding !== undefined) complaints.push(fault(inEncoding))
  const inWriting = standby || isEmpty ? undefined : await complaintOf(tryToWrite)
  if (inWriting !== undefined) complaints.push(fault(inWriting))
  return [
    ...findings('database', complaints, `PostgreSQL ${version} responds.`),
    ...findings('schema', isEmpty ? [EMPTY] : await storeComplaints(db), 'The tables match this version.'),
  ]
}

const complaintOf = (work: () => Promise<void>): Promise<string | undefined> =>
  work().then(
    () => undefined,
    (error: Error) => postgresComplaint(error) ?? `The database refuses changes: ${error.message}.`,
  )

async function storeComplaints(db: CurrentDb): Promise<Problem[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  const complaints = schemaComplaints(rows.map(({ name }) => name))
  if (complaints.length > 0) return complaints
  return refuseNotInUse(db).then(
    () => [],
    (error: Error) => [fault(error.message)],
  )
}
