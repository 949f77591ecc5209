import { Kysely } from 'kysely'
import { describeError } from '../log.ts'
import { isStoreUnavailable } from './engine-sql.ts'
import { migrate, POSTGRES_MIGRATIONS } from './migrate.ts'
import type { Db, Store, StoreSharing } from './open-store.ts'
import { postgresDialect, type Runner } from './postgres-dialect.ts'
import { PostgresPool } from './postgres-pool.ts'
import { ReplicaReads } from './replica-reads.ts'
import { StoreUnavailable } from '../store-unavailable.ts'

/** For each thread that opens the store; with those of the redirects, docs/operations.md adds them up for a node. */
const CONNECTIONS = { db: 8, quickDb: 4, reportDb: 4 }
/** What a caller waits for is a matter of milliseconds. */
const STATEMENT_MS_MAX = 10_000
const REPORT_MS_MAX = 30_000
/** Tables are brought up to date, and copied, in statements that may take long. */
const MIGRATION_MS_MAX = 3_600_000
const RETRY_MS = 1_000

/** Thrown when the server is of a version that lacks what the tables need. */
export class OldPostgres extends Error {}

/** `server_version_num` of PostgreSQL 13, the first with numbers of transactions that never come back. */
const VERSION_MIN = 130_000

/** `readUrl`: a replica. */
export type PostgresPlace = { url: string; readUrl?: string | undefined }

/** Opens the store in PostgreSQL, made and brought up to date where needed. */
export async function openPostgresStore(
  { url, readUrl }: PostgresPlace,
  { watch, patience }: StoreSharing = {},
): Promise<Store> {
  const usual = { url, statementMsMax: STATEMENT_MS_MAX }
  const reports = { url, statementMsMax: REPORT_MS_MAX, isReadOnly: true, isForReports: true }
  const pools = {
    db: new PostgresPool({ ...usual, connectionsMax: CONNECTIONS.db, synchronousCommit: 'on' }),
    quickDb: new PostgresPool({ ...usual, connectionsMax: CONNECTIONS.quickDb, synchronousCommit: 'off' }),
    reportDb: new PostgresPool({ ...reports, connectionsMax: CONNECTIONS.reportDb, synchronousCommit: 'on' }),
  }
  const tables = new TablesReady(url, patience)
  const replica =
    readUrl === undefined
      ? undefined
      : new PostgresPool({
          ...reports,
          url: readUrl,
          connectionsMax: CONNECTIONS.reportDb,
          synchronousCommit: 'on',
        })
  const reportReads = replica === undefined ? pools.reportDb : new ReplicaReads(pools.reportDb, replica)
  const close = async () => {
    tables.stop()
    await Promise.all([pools.db, pools.quickDb, reportReads].map((each) => each.close()))
  }
  await tables.begin().catch(async (error) => {
    await close()
    throw error
  })
  const handle = (pool: Runner, watched?: typeof watch): Db =>
    new Kysely({ dialect: postgresDialect(pool, { watch: watched, refuse: () => tables.refuse() }) })
  const db = handle(pools.db, watch)
  return {
    db,
    clicksDb: db,
    quickDb: handle(pools.quickDb, watch),
    readDb: handle(pools.reportDb),
    reportDb: handle(reportReads),
    // A transaction holds up nobody but those who want the very same rows.
    othersWrite: () => false,
    failed: tables.failed,
    close,
  }
}

/**
 * Whether the tables are those of this version.
 *
 *   unknown ──(brought up to date)──▶ ready
 *      └──(the database is away: tried again)──▶ waiting ──(brought up to date)──▶ ready
 *      │                                            └──(not ours, or newer)──▶ failed
 *      └──(not ours, or newer)──▶ refused to whoever opens the store
 */
class TablesReady {
  readonly #url: string
  readonly #patience: StoreSharing['patience']
  readonly #failed = Promise.withResolvers<Error>()
  #isReady = false
  #isStopped = false

  constructor(url: string, patience: StoreSharing['patience']) {
    this.#url = url
    this.#patience = patience
  }

  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  async begin(): Promise<void> {
    try {
      await this.#bringUpToDate()
    } catch (error) {
      if (this.#patience === undefined || !isStoreUnavailable(causeOf(error))) throw error
      this.#patience.error('The database does not respond; retrying.', describeError(error))
      void this.#goOn()
    }
  }

  /** Throws until they are ready. */
  refuse(): void {
    if (!this.#isReady) throw new StoreUnavailable('The database has not answered yet.')
  }

  stop(): void {
    this.#isStopped = true
  }

  async #goOn(): Promise<void> {
    while (!this.#isReady) {
      await Bun.sleep(RETRY_MS)
      if (this.#isStopped) return
      try {
        await this.#bringUpToDate()
      } catch (error) {
        if (!isStoreUnavailable(causeOf(error))) return this.#failed.resolve(error as Error)
      }
    }
  }

  async #bringUpToDate(): Promise<void> {
    await bringPostgresUpToDate(this.#url)
    this.#isReady = true
  }
}

/** Makes the tables, or brings them up to date. */
export async function bringPostgresUpToDate(url: string): Promise<void> {
  const settings = { url, connectionsMax: 1, synchronousCommit: 'on' } as const
  await refuseOldServer(new PostgresPool({ ...settings, statementMsMax: STATEMENT_MS_MAX }))
  const pool = new PostgresPool({ ...settings, statementMsMax: MIGRATION_MS_MAX })
  try {
    await migrate(new Kysely({ dialect: postgresDialect(pool) }), POSTGRES_MIGRATIONS)
  } finally {
    await pool.close()
  }
}

/** Also finds out soon that a server says nothing at all, which a migration would wait for. */
async function refuseOldServer(pool: PostgresPool): Promise<void> {
  const asked = { sql: 'SHOW server_version_num', parameters: [] }
  const { rows } = await pool.run<{ server_version_num: string }>(asked).finally(() => pool.close())
  if (Number(rows[0]!.server_version_num) < VERSION_MIN)
    throw new OldPostgres('This PostgreSQL is too old: Tern needs version 13 or newer.')
}

/** The migrator says that it has failed, and keeps the reason. */
const causeOf = (error: unknown): unknown => (error as { cause?: unknown }).cause ?? error
