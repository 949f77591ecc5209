import { sql } from 'kysely'
import type { Clock } from '../../runtime/clock.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import type { ReadDb } from '../../store/handles.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { type LinkKey, keyText } from '../link-key.ts'
import type { RouteReader } from './link-cache.ts'
import { type LinkRoute, ROUTE_SELECT, routeFromRow, type RouteRow } from './link-route.ts'

/** Keys in one query. The next query takes the rest. */
const KEYS_MAX = 64
/** Lookups beyond this are refused. */
const PENDING_MAX = 20_000
/** A key that opens nothing is not looked up again for this long: less than a change may take to reach all nodes. */
const MISS_MS = 500
const MISSES_MAX = 20_000
/** After a failure the database is left alone for this long, and lookups fail at once. */
const UNAVAILABLE_MS = 500

type Pending = PromiseWithResolvers<LinkRoute | undefined> & { key: LinkKey }

/**
 * Looks up links in PostgreSQL. All keys requested while a query runs go into the next query together, so a burst of
 * visitors costs few queries.
 */
export class RemoteRoutes implements RouteReader {
  readonly #db: ReadDb
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** The lookups for the next queries, by key. */
  readonly #pending = new Map<string, Pending>()
  /** Keys that open nothing, with the time until which that is assumed. */
  readonly #misses = new Map<string, number>()
  #isReading = false
  #unavailableUntilMs = -Infinity
  /** Number of calls to `forget`. */
  #removals = 0

  constructor(db: ReadDb, clock: Pick<Clock, 'monotonicMs'>) {
    this.#db = db
    this.#clock = clock
  }

  /** A query failed a moment ago because the database could not be reached. */
  get isUnavailable(): boolean {
    return this.#clock.monotonicMs() < this.#unavailableUntilMs
  }

  get(key: LinkKey): Promise<LinkRoute | undefined> | undefined {
    const text = keyText(key)
    const nowMs = this.#clock.monotonicMs()
    if ((this.#misses.get(text) ?? -Infinity) > nowMs) return undefined
    const read = this.#pending.get(text)
    if (read !== undefined) return read.promise
    if (this.isUnavailable) return Promise.reject(new StoreUnavailable('The database is unavailable.'))
    if (this.#pending.size >= PENDING_MAX)
      return Promise.reject(new StoreUnavailable('Too many links are being looked up.'))
    const pending = { key, ...Promise.withResolvers<LinkRoute | undefined>() }
    this.#pending.set(text, pending)
    void this.#readAll()
    return pending.promise
  }

  forget(keys: readonly LinkKey[]): void {
    this.#removals++
    for (const key of keys) this.#misses.delete(keyText(key))
  }

  async #readAll(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    // Lookups of the same turn of the event loop share a query.
    await Promise.resolve()
    while (this.#pending.size > 0) {
      const batch = new Map(this.#pending.entries().take(KEYS_MAX))
      // A lookup from now on may know of a change that this query does not see yet, so it needs the next query.
      for (const text of batch.keys()) this.#pending.delete(text)
      await this.#read(batch)
    }
    this.#isReading = false
  }

  async #read(batch: ReadonlyMap<string, Pending>): Promise<void> {
    const removalsBefore = this.#removals
    try {
      const routes = await readRoutes(this.#db, [...batch.values()])
      this.#unavailableUntilMs = -Infinity
      const byKey = new Map(routes.map((route) => [keyText(route), route]))
      for (const [text, { resolve }] of batch) {
        // A link that was created just after the query ran is announced before the result arrives.
        if (!byKey.has(text) && removalsBefore === this.#removals) this.#noteMiss(text)
        resolve(byKey.get(text))
      }
    } catch (cause) {
      const isUnavailable = isStoreUnavailable(cause)
      if (isUnavailable) this.#unavailableUntilMs = this.#clock.monotonicMs() + UNAVAILABLE_MS
      const error = isUnavailable ? new StoreUnavailable('The database is unavailable.', { cause }) : cause
      // The next query would fail in the same way, after another wait.
      for (const { reject } of [...batch.values(), ...this.#pending.values()]) reject(error)
      this.#pending.clear()
    }
  }

  #noteMiss(text: string): void {
    if (this.#misses.size >= MISSES_MAX) this.#misses.clear()
    this.#misses.set(text, this.#clock.monotonicMs() + MISS_MS)
  }
}

async function readRoutes(db: ReadDb, lookups: readonly { key: LinkKey }[]): Promise<LinkRoute[]> {
  const codes = lookups.map(({ key }) => key.code)
  const domainIds = [...new Set(lookups.map(({ key }) => key.domainId))]
  // It may also find a code on a domain that nobody asked for. Pairs would need an index scan for each.
  const { rows } = await sql<RouteRow>`${sql.raw(ROUTE_SELECT)}
    WHERE codes.code IN (${sql.join(codes)}) AND codes.domain_id IN (${sql.join(domainIds)})`.execute(db)
  return rows.map(routeFromRow)
}
