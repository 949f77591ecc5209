import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Durability, SqliteWriter } from './sqlite-writer.ts'

/** Kysely on the writer of this thread. */
export function sqliteDialect(writer: SqliteWriter, durability: Durability): Dialect {
  return dialectOf(new SqliteWriterDriver(writer, durability))
}

/** Whatever the driver, the SQL is SQLite's. */
export function dialectOf(driver: Driver): Dialect {
  return {
    createAdapter: () => new SharedWriterAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class SharedWriterAdapter extends SqliteAdapter {
  /** So that a migration that fails half-way leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const SAVEPOINT = 'one_transaction_of_the_group'

class SqliteWriterDriver implements Driver {
  readonly #writer: SqliteWriter
  readonly #durability: Durability

  constructor(writer: SqliteWriter, durability: Durability) {
    this.#writer = writer
    this.#durability = durability
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteWriterConnection(this.#writer, this.#durability)
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
    asOurs(connection).leave()
  }

  async destroy(): Promise<void> {
    await this.#writer.settle()
  }
}

const asOurs = (connection: DatabaseConnection) => connection as SqliteWriterConnection

/** It is inside the writer while it runs a transaction, or one statement; in between it may be kept at no cost. */
class SqliteWriterConnection implements DatabaseConnection {
  readonly #writer: SqliteWriter
  readonly #durability: Durability
  #transaction: { leave(): void; committed: Promise<void> } | undefined

  constructor(writer: SqliteWriter, durability: Durability) {
    this.#writer = writer
    this.#durability = durability
  }

  async begin(): Promise<void> {
    const leave = await this.#writer.enter()
    try {
      const { committed } = await this.#writer.join(this.#durability)
      this.#writer.run(`SAVEPOINT ${SAVEPOINT}`, [])
      this.#transaction = { leave, committed }
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Lets the next transaction in before it waits, so that both can share the commit. */
  async commit(): Promise<void> {
    this.#writer.run(`RELEASE ${SAVEPOINT}`, [])
    const committed = this.#transaction?.committed
    this.leave()
    await committed
  }

  /**
   * After a commit that failed there is nothing to undo here, and somebody else may be inside by then. Else it waits for
   * the commit of the group as well: what it was refused for may be the work of another one that is not committed yet.
   */
  async rollback(): Promise<void> {
    if (this.#transaction === undefined) return
    const { committed } = this.#transaction
    // SQLite may have rolled everything back by itself (disk full).
    const isRolledBack = !this.#writer.database.inTransaction
    if (!isRolledBack) this.#writer.takeBack(SAVEPOINT)
    this.leave()
    if (!isRolledBack) await committed
  }

  leave(): void {
    this.#transaction?.leave()
    this.#transaction = undefined
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction === undefined) return this.#runAlone(query)
    // Else the statement would stand alone, and stay when the transaction it belongs to is refused.
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
      // A refusal waits, too: see rollback.
      await group?.committed
    }
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed from SQLite: ask for a page.')
  }

  #run<Row>(query: CompiledQuery): QueryResult<Row> {
    return this.#writer.run(query.sql, query.parameters) as QueryResult<Row>
  }
}

function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode' || /^\s*(SELECT|PRAGMA)\b/i.test(query.sql)
}
