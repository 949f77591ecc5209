import {
  type BinaryOperationNode,
  type CompiledQuery,
  type Dialect,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryResult,
} from 'kysely'
import { driverOn, StoreConnection } from '../kysely-driver.ts'
import type { PostgresPool, Session } from './postgres-pool.ts'
import type { ReportTurns } from '../report-turns.ts'
import type { StoreOutage } from '../store-outage.ts'
import { watched } from '../watched-connection.ts'
import type { WriteMetrics } from '../write-metrics.ts'

/** A pool, or a choice between two. */
export type Runner = Pick<PostgresPool, 'run' | 'reserve'>

export type DialectOptions = {
  metrics?: WriteMetrics | undefined
  /** Throws while the store is unavailable. */
  refuse?: () => void
  outage?: StoreOutage | undefined
  turns?: ReportTurns | undefined
}

/** Kysely on a pool of connections. */
export function postgresDialect(
  pool: Runner,
  { metrics, refuse, outage, turns }: DialectOptions = {},
): Dialect {
  const connect = () => {
    refuse?.()
    return new PooledConnection(pool, metrics)
  }
  const watching = watched(connect, outage)
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOn(turns === undefined ? watching : turns.inTurn(watching)),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  }
}

/** As in SQLite, a list without values has no row in it; PostgreSQL takes `IN ()` for a syntax error. */
class QueryCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node
    if (!PrimitiveValueListNode.is(list) || list.values.length > 0) return super.visitBinaryOperation(node)
    this.append(OperatorNode.is(operator) && operator.operator === 'not in' ? 'TRUE' : 'FALSE')
  }
}

const statement = (sql: string) => ({ sql, parameters: [] })

/** Holds one of the pool's sessions during a transaction; a single statement runs on any. */
class PooledConnection extends StoreConnection {
  readonly #pool: Runner
  readonly #metrics: WriteMetrics | undefined
  #session: Session | undefined
  #startedMs = 0
  /** The server has not confirmed how the transaction ended. */
  #isUncertain = false

  constructor(pool: Runner, metrics: WriteMetrics | undefined) {
    super()
    this.#pool = pool
    this.#metrics = metrics
  }

  async begin(): Promise<void> {
    this.#startedMs = this.#nowMs()
    try {
      const session = await this.#pool.reserve()
      this.#session = session
      await session.run(statement('BEGIN'))
    } catch (error) {
      this.#metrics?.failures.add()
      this.#isUncertain = true
      this.release()
      throw error
    }
  }

  async commit(): Promise<void> {
    this.#isUncertain = true
    const done = await this.#session?.run(statement('COMMIT'))
    this.#isUncertain = false
    if (done?.command !== 'COMMIT') throw new Error('PostgreSQL has rolled this transaction back.')
    this.#metrics?.seconds.observe((this.#nowMs() - this.#startedMs) / 1000)
  }

  /** A lost connection has rolled back by itself; the caller gets the error that lost it. */
  async rollback(): Promise<void> {
    this.#metrics?.failures.add()
    this.#isUncertain = true
    await this.#session?.run(statement('ROLLBACK')).then(
      () => (this.#isUncertain = false),
      () => {},
    )
  }

  release(): void {
    this.#session?.giveBack(this.#isUncertain)
    this.#session = undefined
    this.#isUncertain = false
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#session === undefined ? this.#pool.run(query) : this.#session.run(query)
  }

  #nowMs(): number {
    return this.#metrics?.clock.monotonicMs() ?? 0
  }
}
