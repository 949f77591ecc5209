import { Kysely, sql } from 'kysely'
import { isStoreUnavailable } from '../store-errors.ts'
import { migrate } from '../migrations/migrate.ts'
import {
  handleOn,
  type ClicksDb,
  type DurableDb,
  type ReadDb,
  type RelaxedDb,
  type ReportDb,
} from '../handles.ts'
import { ReportTurns } from '../report-turns.ts'
import type { Store, StoreSharing } from '../open-store.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { type PoolSettings, PostgresPool } from './postgres-pool.ts'
import { ReplicaReads } from './replica-reads.ts'
import { encodingComplaint } from './postgres-complaint.ts'
import { schemaOfUrl } from './schema-of-url.ts'
import { ServerWatch } from './server-watch.ts'
import { tryToWrite } from '../engine-sql.ts'
import { withReason } from '../store-outage.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'

/** Per thread that opens the store. docs/operations.md has the total of a node. */
const CONNECTIONS = { db: 8, relaxedDb: 4, reportDb: 4 }
/** Short reads share the connections of reports, so one workspace does not get all of them. Waiting as long as for a connection. */
const TURNS = { running: 4, runningOfOne: 3, waiting: 400, waitingOfOne: 40, waitingMsMax: 4_000 }
/** Every request is answered within ten seconds, also if it waits for a connection first. */
const STATEMENT_MS_MAX = 6_000
const REPORT_MS_MAX = 8_000
/** For a lock that somebody holds for longer, such as a long transaction of another program. */
const LOCK_MS_MAX = 4_000
/** A migration may copy a large table in one statement. */
const MIGRATION_MS_MAX = 3_600_000
const RETRY_MS = 1_000

/** Thrown when the server or its database lacks what the tables need. */
export class UnsuitablePostgres extends Error {}

/** `server_version_num` of PostgreSQL 13, the first with 64-bit transaction IDs that are never reused (xid8). */
const VERSION_MIN = 130_000

/** `readUrl`: a replica. `hasClickHouse`: old clicks may be there. */
export type PostgresLocation = { url: string; readUrl?: string | undefined; hasClickHouse?: boolean }

/** Opens the store in PostgreSQL. Creates and migrates the tables if needed. */
export async function openPostgresStore(
  { url, readUrl, hasClickHouse = false }: PostgresLocation,
  { metrics, retryLog, outage }: StoreSharing = {},
): Promise<Store> {
  const watch = new ServerWatch(url)
  const shared = { url, watch, lockMsMax: LOCK_MS_MAX }
  const usual = { ...shared, statementMsMax: STATEMENT_MS_MAX }
  const reports = { ...shared, statementMsMax: REPORT_MS_MAX, isReadOnly: true, isForReports: true }
  const pools = {
    db: new PostgresPool({ ...usual, connectionsMax: CONNECTIONS.db, synchronousCommit: 'on' }),
    relaxedDb: new PostgresPool({
      ...usual,
      connectionsMax: CONNECTIONS.relaxedDb,
      synchronousCommit: 'off',
    }),
    reportDb: new PostgresPool({ ...reports, connectionsMax: CONNECTIONS.reportDb, synchronousCommit: 'on' }),
  }
  const tables = new TablesReady({ url, hasClickHouse }, retryLog)
  const reportReads = readUrl === undefined ? pools.reportDb : replicaReads(readUrl, pools.reportDb, reports)
  const close = async () => {
    tables.stop()
    outage?.close()
    await Promise.all([pools.db, pools.relaxedDb, reportReads, watch].map((each) => each.close()))
  }
  await tables.begin().catch(async (error) => {
    await close()
    throw error
  })
  const refuse = () => tables.refuse()
  const turns = new ReportTurns(TURNS)
  const durable = postgresDialect(pools.db, { metrics, refuse, outage })
  const db = handleOn<DurableDb>(durable)
  outage?.probeWith(() => tryToWrite(db))
  return {
    db,
    clicksDb: handleOn<ClicksDb>(durable),
    relaxedDb: handleOn<RelaxedDb>(postgresDialect(pools.relaxedDb, { metrics, refuse, outage })),
    readDb: handleOn<ReadDb>(postgresDialect(pools.reportDb, { refuse, outage })),
    listDb: handleOn<ReadDb>(postgresDialect(pools.reportDb, { refuse, outage, turns })),
    reportDb: handleOn<ReportDb>(postgresDialect(reportReads, { refuse, outage, turns })),
    callersVersion: () => undefined,
    // A transaction only blocks those that need the same rows.
    othersWrite: () => false,
    failed: tables.failed,
    close,
  }
}

/** A replica has a server of its own to watch. */
function replicaReads(
  url: string,
  primary: PostgresPool,
  reports: Omit<PoolSettings, 'connectionsMax' | 'synchronousCommit'>,
): ReplicaReads {
  const watch = new ServerWatch(url)
  const connections = { connectionsMax: CONNECTIONS.reportDb, synchronousCommit: 'on' } as const
  return new ReplicaReads(primary, new PostgresPool({ ...reports, ...connections, url, watch }), watch)
}

/**
 * Whether the tables are those of this version.
 *
 *   unknown ──(migrated)──▶ ready
 *      └──(the database is unavailable: retried)──▶ waiting ──(migrated)──▶ ready
 *      │                                               └──(another program's, or newer)──▶ failed
 *      └──(another program's, or newer)──▶ opening fails
 */
class TablesReady {
  readonly #location: PostgresLocation
  readonly #retryLog: StoreSharing['retryLog']
  readonly #failed = Promise.withResolvers<Error>()
  #isReady = false
  #isStopped = false

  constructor(location: PostgresLocation, retryLog: StoreSharing['retryLog']) {
    this.#location = location
    this.#retryLog = retryLog
  }

  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  async begin(): Promise<void> {
    try {
      await this.#migrate()
    } catch (error) {
      if (this.#retryLog === undefined || !isStoreUnavailable(causeOf(error))) throw error
      this.#retryLog.error('The database does not respond; retrying.', withReason(causeOf(error)))
      void this.#retry()
    }
  }

  /** Throws until the tables are ready. */
  refuse(): void {
    if (!this.#isReady) throw new StoreUnavailable('The database has not answered yet.')
  }

  stop(): void {
    this.#isStopped = true
  }

  async #retry(): Promise<void> {
    while (!this.#isReady) {
      await Bun.sleep(RETRY_MS)
      if (this.#isStopped) return
      try {
        await this.#migrate()
      } catch (error) {
        if (!isStoreUnavailable(causeOf(error))) return this.#failed.resolve(error as Error)
      }
    }
  }

  async #migrate(): Promise<void> {
    await migratePostgres(this.#location, this.#retryLog)
    this.#isReady = true
  }
}

/** Creates or migrates the tables. */
export async function migratePostgres(
  { url, hasClickHouse = false }: PostgresLocation,
  log?: StoreSharing['retryLog'],
): Promise<void> {
  const settings = { url, connectionsMax: 1, synchronousCommit: 'on' } as const
  await refuseUnsuitable(new PostgresPool({ ...settings, statementMsMax: STATEMENT_MS_MAX }))
  const searchPath = await makeSchema(
    url,
    new PostgresPool({ ...settings, statementMsMax: STATEMENT_MS_MAX }),
  )
  const pool = new PostgresPool({ ...settings, searchPath, statementMsMax: MIGRATION_MS_MAX })
  try {
    const db = new Kysely({ dialect: postgresDialect(pool) })
    await migrate(db, log)
    if (!hasClickHouse) await refuseWithoutClickHouse(db)
  } finally {
    await pool.close()
  }
}

/** Reports would lack what is there. */
async function refuseWithoutClickHouse(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ batch: number }>`SELECT batch FROM clickhouse_progress`.execute(db)
  if (rows[0]!.batch > 0)
    throw new UnsuitablePostgres(
      'Clicks of this store are in ClickHouse: set CLICKHOUSE_URL to its database.',
    )
}

/**
 * Makes the schema that the URL names, and returns it with that of the extension, whose operators an index needs when it is made.
 * A database has an extension once, for all schemas.
 */
async function makeSchema(url: string, pool: PostgresPool): Promise<string | undefined> {
  const { schema } = schemaOfUrl(url)
  const valueOf = async (sql: string) =>
    (await pool.run<{ value: string }>({ sql, parameters: [] })).rows[0]?.value
  try {
    if (schema === undefined) return undefined
    // Without the right to make one, IF NOT EXISTS fails also if it is there.
    const isThere = `SELECT nspname AS value FROM pg_namespace WHERE nspname = '${schema}'`
    if ((await valueOf(isThere)) === undefined) await valueOf(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
    // Not in our schema, with which it would be dropped. The first migration makes it there if it must.
    await valueOf('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public').catch(() => {})
    const place = `SELECT quote_ident(nspname) AS value FROM pg_extension
      JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'`
    return [schema, (await valueOf(place)) ?? []].flat().join(', ')
  } finally {
    await pool.close()
  }
}

/** Also fails soon if the server does not respond, which a migration would wait for. */
async function refuseUnsuitable(pool: PostgresPool): Promise<void> {
  const query = {
    sql: `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
    parameters: [],
  }
  const { rows } = await pool.run<{ version: number; encoding: string }>(query).finally(() => pool.close())
  const { version, encoding } = rows[0]!
  if (version < VERSION_MIN)
    throw new UnsuitablePostgres('This PostgreSQL is too old: Tern needs version 13 or newer.')
  const complaint = encodingComplaint(encoding)
  if (complaint !== undefined) throw new UnsuitablePostgres(complaint)
}

/** The migrator wraps the error. */
const causeOf = (error: unknown): unknown => (error as { cause?: unknown }).cause ?? error
