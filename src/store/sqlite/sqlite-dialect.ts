import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { driverOn, StoreConnection } from '../kysely-driver.ts'
import type { StoreOutage } from '../store-outage.ts'
import { isRead, watched } from '../watched-connection.ts'
import type { Durability, SqliteWriter } from './sqlite-writer.ts'

/** Kysely on the writer of this thread. */
export const sqliteDialect = (writer: SqliteWriter, durability: Durability, outage?: StoreOutage): Dialect =>
  sqliteDialectOn(
    watched(() => new WriterConnection(writer, durability), outage),
    () => writer.settle(),
  )

/** SQLite's SQL on any connections. */
export const sqliteDialectOn = (...driver: Parameters<typeof driverOn>): Dialect => ({
  createAdapter: () => new SqliteAdapterWithDdl(),
  createDriver: () => driverOn(...driver),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

class SqliteAdapterWithDdl extends SqliteAdapter {
  /** A migration that fails half-way leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const SAVEPOINT = 'one_transaction_of_the_group'

/**
 * `hasSavepoint`: others have written in the group before. Otherwise none is needed, and every statement of several rows would be slower
 * by a walk through all pages that the savepoint remembers.
 */
type OpenTransaction = { leave(): void; committed: Promise<void>; hasSavepoint: boolean }

/** Inside the writer during a transaction, or one statement. */
class WriterConnection extends StoreConnection {
  readonly #writer: SqliteWriter
  readonly #durability: Durability
  #transaction: OpenTransaction | undefined

  constructor(writer: SqliteWriter, durability: Durability) {
    super()
    this.#writer = writer
    this.#durability = durability
  }

  async begin(): Promise<void> {
    const leave = await this.#writer.enter()
    try {
      const { committed, isFirst } = await this.#writer.join(this.#durability)
      if (!isFirst) this.#writer.run(`SAVEPOINT ${SAVEPOINT}`, [])
      this.#transaction = { leave, committed, hasSavepoint: !isFirst }
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Lets the next transaction in before waiting, so that both can share the commit. */
  async commit(): Promise<void> {
    if (this.#transaction?.hasSavepoint) this.#writer.run(`RELEASE ${SAVEPOINT}`, [])
    const committed = this.#transaction?.committed
    this.release()
    await committed
  }

  /**
   * After a failed commit there is nothing to undo, and another transaction may be inside. Otherwise it also waits for the
   * group's commit: it may have been refused because of another transaction that is not committed yet.
   */
  async rollback(): Promise<void> {
    if (this.#transaction === undefined) return
    const { committed, hasSavepoint } = this.#transaction
    // SQLite may have rolled everything back by itself (disk full).
    const isRolledBack = !this.#writer.database.inTransaction
    if (!isRolledBack) {
      if (hasSavepoint) this.#writer.rollBackTo(SAVEPOINT)
      else this.#writer.rollBackGroup()
    }
    this.release()
    if (!isRolledBack) await committed
  }

  release(): void {
    this.#transaction?.leave()
    this.#transaction = undefined
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction === undefined) return this.#runAlone(query)
    // The statement would be committed by itself although its transaction failed.
    if (!this.#writer.database.inTransaction) throw new Error('SQLite has rolled this transaction back.')
    return this.#run(query)
  }

  async #runAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const leave = await this.#writer.enter()
    let group: { committed: Promise<void> } | undefined
    try {
      if (!isRead(query)) group = await this.#writer.join(this.#durability)
      return this.#run<Row>(query)
    } finally {
      leave()
      // An error waits too: see rollback.
      await group?.committed
    }
  }

  #run<Row>(query: CompiledQuery): QueryResult<Row> {
    return this.#writer.run(query.sql, query.parameters) as QueryResult<Row>
  }
}
