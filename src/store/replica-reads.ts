import type { QueryResult } from 'kysely'
import { systemClock } from '../clock.ts'
import { isStoreUnavailable } from './engine-sql.ts'
import type { PoolQuery, PoolResult, PostgresPool, Session } from './postgres-pool.ts'

const LOOK_EVERY_MS = 400
/** How far behind a replica may be and still be asked. */
const BEHIND_MS_MAX = 2_000

/**
 * Reads on a replica as long as it is less than two seconds behind, else on the primary. How far behind it is, is found
 * by what it has: it is as of a moment when it has replayed all that the primary had written by then. A replica that
 * has lost its primary does not know that it is old; this does.
 */
export class ReplicaReads {
  readonly #primary: PostgresPool
  readonly #replica: PostgresPool
  readonly #timer: Timer
  /** The replica has all that had been written by then. */
  #asOfMs = -Infinity
  /** Where the primary was at a moment for which the replica is waited for. */
  #mark: { position: string; atMs: number } | undefined
  #looking: Promise<void> | undefined

  constructor(primary: PostgresPool, replica: PostgresPool) {
    this.#primary = primary
    this.#replica = replica
    this.#timer = setInterval(() => this.#lookSoon(), LOOK_EVERY_MS)
    this.#lookSoon()
  }

  /** The replica is the one that is asked. */
  get isFresh(): boolean {
    return systemClock.monotonicMs() - this.#asOfMs < BEHIND_MS_MAX
  }

  /** A read may be repeated, so one that the replica does not answer goes to the primary. */
  async run<Row>(query: PoolQuery): Promise<PoolResult<Row>> {
    if (!this.isFresh) return this.#primary.run(query)
    try {
      return await this.#replica.run<Row>(query)
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error
      this.#asOfMs = -Infinity
      return this.#primary.run(query)
    }
  }

  reserve(): Promise<Session> {
    return this.#primary.reserve()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#primary.close(), this.#replica.close()])
  }

  #lookSoon(): void {
    this.#looking ??= this.#look()
      .catch(() => (this.#mark = undefined))
      .finally(() => (this.#looking = undefined)) as Promise<void>
  }

  async #look(): Promise<void> {
    if (this.#mark === undefined) {
      const atMs = systemClock.monotonicMs()
      const position = textOf(await this.#primary.run(query('SELECT pg_current_wal_lsn()::text AS text')))
      this.#mark = { position, atMs }
    }
    const { position, atMs } = this.#mark
    const replayed = await this.#replica.run(
      query(
        `SELECT (pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= CAST(CAST($1 AS TEXT) AS PG_LSN))::text AS text`,
        [position],
      ),
    )
    if (textOf(replayed) !== 'true') return
    this.#asOfMs = atMs
    this.#mark = undefined
  }
}

const query = (sql: string, parameters: readonly unknown[] = []): PoolQuery => ({ sql, parameters })

const textOf = (result: QueryResult<unknown>): string => (result.rows[0] as { text: string }).text
