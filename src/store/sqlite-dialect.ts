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
  /** The writer has a queue of its own, which lets the next transaction in before the commit that both share. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

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
    return new SqliteWriterConnection(this.#writer, this.#durability, await this.#writer.enter())
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).leave()
  }

  async destroy(): Promise<void> {
    await this.#writer.settle()
  }
}

const asOurs = (connection: DatabaseConnection) => connection as SqliteWriterConnection

class SqliteWriterConnection implements DatabaseConnection {
  readonly #writer: SqliteWriter
  readonly #durability: Durability
  readonly leave: () => void
  #committed: Promise<void> | undefined

  constructor(writer: SqliteWriter, durability: Durability, leave: () => void) {
    this.#writer = writer
    this.#durability = durability
    this.leave = leave
  }

  begin(): void {
    this.#committed = this.#writer.join(this.#durability).committed
    this.#writer.run(`SAVEPOINT ${SAVEPOINT}`, [])
  }

  /** Lets the next transaction in before it waits, so that both can share the commit. */
  async commit(): Promise<void> {
    this.#writer.run(`RELEASE ${SAVEPOINT}`, [])
    this.leave()
    await this.#committed
  }

  rollback(): void {
    // SQLite may have rolled everything back by itself (disk full); then there is nothing left to undo.
    if (!this.#writer.database.inTransaction) return
    this.#writer.run(`ROLLBACK TO ${SAVEPOINT}`, [])
    this.#writer.run(`RELEASE ${SAVEPOINT}`, [])
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#committed !== undefined || isRead(query)) return this.#run(query)
    const { committed } = this.#writer.join(this.#durability)
    const result = this.#run<Row>(query)
    this.leave()
    await committed
    return result
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
