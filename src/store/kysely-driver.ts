import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

/**
 * What a handle runs its statements on. Kysely keeps one for a statement or a transaction, and may keep it longer at no
 * cost: it takes hold of something only from `begin` to `commit` or `rollback`, and for the time of one statement.
 */
export abstract class StoreConnection implements DatabaseConnection {
  abstract begin(): Promise<void>
  abstract commit(): Promise<void>
  abstract rollback(): Promise<void>
  /** Lets go of everything, whatever state it is in. */
  abstract release(): void
  abstract executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>>

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed: ask for a page.')
  }
}

/** Kysely's driver on such connections. `destroy` is called only if a statement was run. */
export const driverOn = (connect: () => StoreConnection, destroy = async () => {}): Driver => ({
  init: async () => {},
  acquireConnection: async () => connect(),
  beginTransaction: (connection) => ours(connection).begin(),
  commitTransaction: (connection) => ours(connection).commit(),
  rollbackTransaction: (connection) => ours(connection).rollback(),
  releaseConnection: async (connection) => ours(connection).release(),
  destroy,
})

const ours = (connection: DatabaseConnection) => connection as StoreConnection
