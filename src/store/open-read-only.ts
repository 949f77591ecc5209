import { tryToWrite } from './engine-sql.ts'
import { handleOn, type ReadDb, type RelaxedDb } from './handles.ts'
import type { StoreLocation } from './open-store.ts'
import { openStoreReader } from './open-store-reader.ts'
import { postgresDialect } from './postgres/postgres-dialect.ts'
import { PostgresPool } from './postgres/postgres-pool.ts'

/** Only an operator waits for it. */
const STATEMENT_MS_MAX = 600_000
const WRITE_MS_MAX = 10_000

/** The tables as they are, for commands that neither change nor migrate anything. */
export function openReadOnly({ dataDir, databaseUrl }: StoreLocation): {
  db: ReadDb
  close(): Promise<void>
} {
  if (databaseUrl === undefined) return openStoreReader(dataDir)
  const pool = new PostgresPool({
    url: databaseUrl,
    connectionsMax: 2,
    statementMsMax: STATEMENT_MS_MAX,
    synchronousCommit: 'on',
    isReadOnly: true,
  })
  return { db: handleOn<ReadDb>(postgresDialect(pool)), close: () => pool.close() }
}

/** Leaves nothing behind. Rejects if PostgreSQL accepts no changes. */
export async function tryToWriteAt({ databaseUrl }: StoreLocation): Promise<void> {
  const pool = new PostgresPool({
    url: databaseUrl!,
    connectionsMax: 1,
    statementMsMax: WRITE_MS_MAX,
    synchronousCommit: 'off',
  })
  try {
    await tryToWrite(handleOn<RelaxedDb>(postgresDialect(pool)))
  } finally {
    await pool.close()
  }
}
