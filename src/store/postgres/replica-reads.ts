import type { QueryResult } from 'kysely'
import { systemClock } from '../../runtime/clock.ts'
import { isStoreUnavailable } from '../store-errors.ts'
import type { PoolQuery, PoolResult, PostgresPool, Session } from './postgres-pool.ts'
import type { ServerWatch } from './server-watch.ts'

const LOOK_EVERY_MS = 400
/** A replica that is further behind is not used. */
const BEHIND_MS_MAX = 2_000

/**
 * Reads from a replica while it is less than two seconds behind, otherwise from the primary. The lag is measured by
 * comparing what the replica has replayed with what the primary had written at a known moment. So a replica that has lost
 * its primary, and does not know it, is noticed too.
 */
export class ReplicaReads {
  readonly #primary: PostgresPool
  readonly #replica: PostgresPool
  readonly #watch: ServerWatch
  readonly #timer: Timer
  /** The replica has everything written up to this moment. */
  #asOfMs = -Infinity
  /** What the primary had written at a moment that the replica has not reached yet. */
  #mark: { position: string; atMs: number } | undefined
  #looking: Promise<void> | undefined

  constructor(primary: PostgresPool, replica: PostgresPool, watch: ServerWatch) {
    this.#primary = primary
    this.#replica = replica
    this.#watch = watch
    this.#timer = setInterval(() => this.#lookSoon(), LOOK_EVERY_MS)
    this.#lookSoon()
  }

  get isFresh(): boolean {
    return systemClock.monotonicMs() - this.#asOfMs < BEHIND_MS_MAX
  }

  /** A failed read is repeated on the primary. */
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
    await Promise.all([this.#primary, this.#replica, this.#watch].map((each) => each.close()))
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
