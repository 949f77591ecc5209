import type { Db } from './open-store.ts'

/**
 * By SQLSTATE: a deadlock (40P01), and a row that is not what the transaction saw (40001), where the server has been told
 * to be that strict. The server has undone all of it.
 */
const GIVEN_UP = /^(40P01|40001)$/

/** Beyond that somebody else is in the way for longer than a caller should wait. */
const TRIES_MAX = 2

/**
 * Does the work in one transaction. Where PostgreSQL has given it up in favor of another one, it is done once more from its
 * beginning: `work` may change nothing but rows before its last statement. Everything that writes rows in a transaction
 * goes through here, and in one order (docs/decisions/0010-one-order-of-rows.md), so that this is the exception.
 */
export async function transact<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === TRIES_MAX || !isGivenUp(error)) throw error
    }
  }
}

function isGivenUp(error: unknown): boolean {
  const { errno } = (error ?? {}) as { errno?: unknown }
  return typeof errno === 'string' && GIVEN_UP.test(errno)
}
