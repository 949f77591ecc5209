import { Kysely } from 'kysely'
import type { Db, StorePlace } from './open-store.ts'
import { openStoreReader } from './open-store-reader.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { PostgresPool } from './postgres-pool.ts'

/** An operator waits for it, nobody else. */
const STATEMENT_MS_MAX = 600_000

/** The tables as they are, for commands that change nothing and bring nothing up to date. */
export function openReadOnly({ dataDir, databaseUrl }: StorePlace): { db: Db; close(): Promise<void> } {
  if (databaseUrl === undefined) return openStoreReader(dataDir)
  const pool = new PostgresPool({
    url: databaseUrl,
    connectionsMax: 2,
    statementMsMax: STATEMENT_MS_MAX,
    synchronousCommit: 'on',
    isReadOnly: true,
  })
  return { db: new Kysely({ dialect: postgresDialect(pool) }), close: () => pool.close() }
}
