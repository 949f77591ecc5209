import type { SQL } from 'bun'
import { inSchema, schemaOfUrl } from './schema-of-url.ts'

const CONNECT_SECONDS_MAX = 3
const FOR_REPORTS = {
  // Holds the rows a search must check. With the default 4 MB the server keeps only their pages and checks every row on
  // them: with ten million links, twenty times as many.
  work_mem: '32MB',
  // From its sixth use a statement would get a generic plan: a search then scanned all links of its account (90 ms; with
  // its index, 9).
  plan_cache_mode: 'force_custom_plan',
}

export type ConnectionSettings = {
  url: string
  connectionsMax: number
  /** The server cancels a statement that takes longer. */
  statementMsMax: number
  /** The server cancels a statement that has waited this long for a lock. Default: only `statementMsMax` limits it. */
  lockMsMax?: number
  /** `off`: the server does not wait for its disk, so its crash may lose the last moments. */
  synchronousCommit: 'on' | 'off'
  isReadOnly?: boolean
  /** Instead of the schema alone. */
  searchPath?: string | undefined
  /** Large queries that differ from each other. */
  isForReports?: boolean
}

/** The driver's own pool, which connects on first use. */
export function connectTo(settings: ConnectionSettings): SQL {
  const { url, connectionsMax, statementMsMax, lockMsMax = 0, synchronousCommit } = settings
  const { url: withoutSchema, schema } = schemaOfUrl(url)
  return new Bun.SQL(withoutSchema, {
    max: connectionsMax,
    connectionTimeout: CONNECT_SECONDS_MAX,
    idleTimeout: 0,
    // Counts and times have 64 bits; by default the driver returns them as strings.
    bigint: true,
    connection: {
      application_name: 'tern',
      statement_timeout: statementMsMax,
      lock_timeout: lockMsMax,
      idle_in_transaction_session_timeout: statementMsMax,
      synchronous_commit: synchronousCommit,
      timezone: 'UTC',
      ...inSchema(schema),
      ...(settings.searchPath === undefined ? {} : { search_path: settings.searchPath }),
      // JIT compilation took longer than any report (0.1 to 0.5 s). The default random_page_cost is for hard disks, and
      // made the server scan the table of dimension sets instead of using its index.
      jit: 'off',
      random_page_cost: 1.1,
      // If a node loses its network, its locks are released within half a minute.
      tcp_keepalives_idle: 10,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 3,
      ...(settings.isReadOnly ? { default_transaction_read_only: 'on' } : {}),
      ...(settings.isForReports ? FOR_REPORTS : {}),
    },
  })
}
