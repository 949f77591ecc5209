import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { type AnyDb, kyselyOf, type Tx, type WriteDb } from './handles.ts'

/**
 * By SQLSTATE: a deadlock (40P01), and a serialization failure (40001) on a server with a stricter default isolation. The
 * server has rolled back everything.
 */
const ABORTED = /^(40P01|40001)$/

const TRIES_MAX = 2

/**
 * Does the work in one transaction. If PostgreSQL aborts it in favor of another one, it runs once more, so `work` may have
 * no other effects before its last statement. All transactions write rows in the same order, which makes this rare
 * (docs/decisions/0010-one-order-of-rows.md).
 */
export async function transact<Result>(db: WriteDb, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await kyselyOf(db)
        .transaction()
        .execute(async (tx) => {
          const executor = tx.getExecutor()
          // A plugin has to see every statement.
          if (executor.plugins.length === 0)
            connections.set(tx, await executor.provideConnection(async (connection) => connection))
          return work(tx as unknown as Tx).finally(() => connections.delete(tx))
        })
    } catch (error) {
      if (attempt === TRIES_MAX || !isAborted(error)) throw error
    }
  }
}

/** Of the transactions that have not ended. */
const connections = new WeakMap<object, DatabaseConnection>()

/** Runs a statement whose text is ready. In a transaction it goes past the query builder, which takes as long as the statement. */
export const runReady = <Row>(db: AnyDb, statement: CompiledQuery): Promise<QueryResult<Row>> =>
  connections.get(db)?.executeQuery<Row>(statement) ?? db.executeQuery<Row>(statement)

function isAborted(error: unknown): boolean {
  const { errno } = (error ?? {}) as { errno?: unknown }
  return typeof errno === 'string' && ABORTED.test(errno)
}
