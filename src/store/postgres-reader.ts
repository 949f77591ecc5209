import { Kysely, sql } from 'kysely'
import type { Db } from './open-store.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { PostgresPool } from './postgres-pool.ts'

/** One for look-ups, one for news, one to spare. */
const CONNECTIONS = 3
/** A visitor waits for it. */
const STATEMENT_MS_MAX = 1_500

const CHANNEL = 'tern_changes'

/** What has changed since a moment of the database. */
export type Changes = {
  codes: string[]
  /** What is blocked, and what no longer. */
  hasBlocks: boolean
  /** The moment to ask from the next time. */
  mark: ChangeMark
}

/**
 * A moment of a database: which transactions could not be seen yet, and on which line of its history. Another server
 * that takes over begins a new line, and may lack some of the old one's last transactions.
 */
export type ChangeMark = { transaction: string; timeline: string; seen: ReadonlySet<number> }

/** PostgreSQL for the thread that answers visitors: single reads, and word of what others have changed. */
export type PostgresReader = {
  db: Db
  /** Undefined for `since`: from now on. */
  changesSince(since: ChangeMark | undefined): Promise<Changes>
  /** Calls when somebody has changed something, as long as the connection holds; so ask now and then as well. */
  onNews(hear: () => void): void
  close(): Promise<void>
}

type ChangeRow = { id: number | null; code: string | null; transaction: string; timeline: string }

/** Opens no connection before it is asked something. */
export function openPostgresReader(url: string): PostgresReader {
  const pool = new PostgresPool({
    url,
    connectionsMax: CONNECTIONS,
    statementMsMax: STATEMENT_MS_MAX,
    synchronousCommit: 'off',
    isReadOnly: true,
  })
  const db: Db = new Kysely({ dialect: postgresDialect(pool) })
  return {
    db,
    async changesSince(since) {
      // A transaction that this statement does not see has at least the number that is told as the next mark.
      const { rows } = await sql<ChangeRow>`
        SELECT changes.id, changes.code, mark.transaction, mark.timeline FROM (
          SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction,
            left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline
        ) AS mark LEFT JOIN changes ON changes.transaction >= CAST(CAST(${since?.transaction ?? null} AS TEXT) AS XID8)
      `.execute(db)
      return news(rows, since)
    },
    onNews: (hear) => pool.listen(CHANNEL, hear),
    close: () => pool.close(),
  }
}

function news(rows: readonly ChangeRow[], since: ChangeMark | undefined): Changes {
  const { transaction, timeline } = rows[0]!
  const found = rows.filter(({ id }) => id !== null)
  const fresh = found.filter(({ id }) => !since?.seen.has(id!))
  return {
    codes: fresh.flatMap(({ code }) => code ?? []),
    hasBlocks: fresh.some(({ code }) => code === null),
    mark: { transaction, timeline, seen: new Set(found.map(({ id }) => id!)) },
  }
}
