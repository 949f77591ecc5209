import type { CompiledQuery, QueryResult } from 'kysely'
import { StoreConnection } from './kysely-driver.ts'
import type { StoreOutage } from './store-outage.ts'

type Connect = () => StoreConnection

/** The same connections, whose failures and successes are noted. */
export function watched(connect: Connect, outage: StoreOutage | undefined): Connect {
  if (outage === undefined) return connect
  return () => {
    try {
      return new WatchedConnection(connect(), outage)
    } catch (error) {
      outage.failed(error, false)
      throw error
    }
  }
}

class WatchedConnection extends StoreConnection {
  readonly #connection: StoreConnection
  readonly #outage: StoreOutage
  #isInTransaction = false
  #hasChanged = false

  constructor(connection: StoreConnection, outage: StoreOutage) {
    super()
    this.#connection = connection
    this.#outage = outage
  }

  async begin(): Promise<void> {
    this.#hasChanged = false
    await this.#note(this.#connection.begin(), true, false)
    this.#isInTransaction = true
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false
    await this.#note(this.#connection.commit(), true, this.#hasChanged)
  }

  rollback(): Promise<void> {
    this.#isInTransaction = false
    return this.#connection.rollback()
  }

  release(): void {
    this.#connection.release()
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const isChange = !isRead(query)
    this.#hasChanged ||= isChange
    // A change is only known to have succeeded when it is committed.
    const isCommitted = isChange && !this.#isInTransaction
    return this.#note(this.#connection.executeQuery<Row>(query), isChange, isCommitted)
  }

  async #note<Result>(work: Promise<Result>, mayChange: boolean, isCommitted: boolean): Promise<Result> {
    try {
      const result = await work
      this.#outage.succeeded(isCommitted)
      return result
    } catch (error) {
      this.#outage.failed(error, mayChange)
      throw error
    }
  }
}

/** A statement that certainly changes nothing. */
export function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode' || /^\s*(SELECT|PRAGMA)\b/i.test(query.sql)
}
