import { Kysely } from 'kysely'
import { migrate, POSTGRES_MIGRATIONS } from './migrate.ts'
import type { Db, Store, StoreSharing } from './open-store.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { PostgresPool } from './postgres-pool.ts'

/** For each thread that opens the store; with those of the redirects, docs/operations.md adds them up for a node. */
const CONNECTIONS = { db: 8, quickDb: 4, reportDb: 4 }
/** What a caller waits for is a matter of milliseconds. */
const STATEMENT_MS_MAX = 10_000
const REPORT_MS_MAX = 30_000

/** Opens the store in PostgreSQL, made and brought up to date where needed. */
export async function openPostgresStore(url: string, { watch }: StoreSharing = {}): Promise<Store> {
  const settings = { url, statementMsMax: STATEMENT_MS_MAX }
  const pool = new PostgresPool({ ...settings, connectionsMax: CONNECTIONS.db, synchronousCommit: 'on' })
  const quickPool = new PostgresPool({
    ...settings,
    connectionsMax: CONNECTIONS.quickDb,
    synchronousCommit: 'off',
  })
  const reportPool = new PostgresPool({
    url,
    statementMsMax: REPORT_MS_MAX,
    connectionsMax: CONNECTIONS.reportDb,
    synchronousCommit: 'on',
    isReadOnly: true,
  })
  const close = async () =>
    void (await Promise.all([pool, quickPool, reportPool].map((each) => each.close())))
  const db: Db = new Kysely({ dialect: postgresDialect(pool, watch) })
  await migrate(db, POSTGRES_MIGRATIONS).catch(async (error) => {
    await close()
    throw error
  })
  return {
    db,
    quickDb: new Kysely({ dialect: postgresDialect(quickPool, watch) }),
    reportDb: new Kysely({ dialect: postgresDialect(reportPool) }),
    // A transaction holds up nobody but those who want the very same rows.
    othersWrite: () => false,
    failed: new Promise(() => {}),
    close,
  }
}
