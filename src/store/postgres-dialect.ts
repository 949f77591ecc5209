import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { PostgresPool, Session } from './postgres-pool.ts'
import type { WriteWatch } from './write-watch.ts'

/** What runs statements: a pool, or a choice between two. */
export type Runner = Pick<PostgresPool, 'run' | 'reserve'>

export type DialectOptions = {
  watch?: WriteWatch | undefined
  /** Throws while nothing may be asked. */
  refuse?: () => void
}

/** Kysely on a pool of connections. */
export function postgresDialect(pool: Runner, options: DialectOptions = {}): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool, options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class PostgresDriver implements Driver {
  readonly #pool: Runner
  readonly #options: DialectOptions

  constructor(pool: Runner, options: DialectOptions) {
    this.#pool = pool
    this.#options = options
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#options.refuse?.()
    return new PooledConnection(this.#pool, this.#options.watch)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).end()
  }

  /** The pool belongs to whoever opened it. */
  async destroy(): Promise<void> {}
}

const asOurs = (connection: DatabaseConnection) => connection as PooledConnection

const statement = (sql: string) => ({ sql, parameters: [] })

/** One of the pool's while it runs a transaction, or one statement; in between it may be kept at no cost. */
class PooledConnection implements DatabaseConnection {
  readonly #pool: Runner
  readonly #watch: WriteWatch | undefined
  #session: Session | undefined
  #startedMs = 0
  /** The server has not said what became of the transaction. */
  #isUncertain = false

  constructor(pool: Runner, watch: WriteWatch | undefined) {
    this.#pool = pool
    this.#watch = watch
  }

  async begin(): Promise<void> {
    this.#startedMs = this.#nowMs()
    const session = await this.#pool.reserve()
    this.#session = session
    try {
      await session.run(statement('BEGIN'))
    } catch (error) {
      this.#isUncertain = true
      this.end()
      throw error
    }
  }

  async commit(): Promise<void> {
    this.#isUncertain = true
    const done = await this.#session?.run(statement('COMMIT'))
    this.#isUncertain = false
    if (done?.command !== 'COMMIT') throw new Error('PostgreSQL has rolled this transaction back.')
    this.#watch?.seconds.observe((this.#nowMs() - this.#startedMs) / 1000)
  }

  /** A connection that is gone has rolled back by itself; what the caller hears is why. */
  async rollback(): Promise<void> {
    this.#watch?.failures.add()
    this.#isUncertain = true
    await this.#session?.run(statement('ROLLBACK')).then(
      () => (this.#isUncertain = false),
      () => {},
    )
  }

  end(): void {
    this.#session?.giveBack(this.#isUncertain)
    this.#session = undefined
    this.#isUncertain = false
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#session === undefined ? this.#pool.run(query) : this.#session.run(query)
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed: ask for a page.')
  }

  #nowMs(): number {
    return this.#watch?.clock.monotonicMs() ?? 0
  }
}
