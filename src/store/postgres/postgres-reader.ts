import { sql } from 'kysely'
import { handleOn, type ReadDb } from '../handles.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { channelIn, schemaOfUrl } from './schema-of-url.ts'
import { PostgresPool } from './postgres-pool.ts'

/** One for lookups, one for notifications, one to spare. */
const CONNECTIONS = 3
/** A visitor waits for the response. */
const STATEMENT_MS_MAX = 1_500

type Changes = {
  /** What opens each link that changed. */
  keys: { domainId: number; code: string }[]
  /** Whether the block list has changed. */
  hasState: boolean
  /** Pass it to the next call. */
  mark: ChangeMark
}

/**
 * A moment of a database: the oldest transaction that was still open, and the timeline. A server that takes over starts a
 * new timeline, and may lack some of the last transactions of the old one.
 */
export type ChangeMark = { transaction: string; timeline: string; seen: ReadonlySet<number> }

/** PostgreSQL for the redirect thread: single reads, and notifications of changes. */
export type PostgresReader = {
  db: ReadDb
  /** Undefined for `since`: from now on. */
  changesSince(since: ChangeMark | undefined): Promise<Changes>
  /** Notifications can get lost, so poll as well. */
  onNotify(call: () => void): void
  close(): Promise<void>
}

type ChangeRow = {
  id: number | null
  domain_id: number
  code: string | null
  transaction: string
  timeline: string
}

/** Connects on first use. */
export function openPostgresReader(url: string): PostgresReader {
  const pool = new PostgresPool({
    url,
    connectionsMax: CONNECTIONS,
    statementMsMax: STATEMENT_MS_MAX,
    synchronousCommit: 'off',
    isReadOnly: true,
  })
  const db = handleOn<ReadDb>(postgresDialect(pool))
  return {
    db,
    async changesSince(since) {
      // A transaction that this statement cannot see has at least the number in the returned mark.
      const { rows } = await sql<ChangeRow>`
        SELECT changes.id, changes.domain_id, changes.code, mark.transaction, mark.timeline FROM (
          SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction,
            left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline
        ) AS mark LEFT JOIN changes ON changes.transaction >= CAST(CAST(${since?.transaction ?? null} AS TEXT) AS XID8)
      `.execute(db)
      return changesIn(rows, since)
    },
    onNotify: (call) => pool.listen(channelIn(schemaOfUrl(url).schema), call),
    close: () => pool.close(),
  }
}

function changesIn(rows: readonly ChangeRow[], since: ChangeMark | undefined): Changes {
  const { transaction, timeline } = rows[0]!
  const routes = rows.filter(({ id }) => id !== null)
  const fresh = routes.filter(({ id }) => !since?.seen.has(id!))
  return {
    keys: fresh.flatMap(({ domain_id: domainId, code }) => (code === null ? [] : { domainId, code })),
    hasState: fresh.some(({ code }) => code === null),
    mark: { transaction, timeline, seen: new Set(routes.map(({ id }) => id!)) },
  }
}
