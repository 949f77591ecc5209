import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { isStoreUnavailable } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import type { TargetRow, TargetRows } from './link-cache.ts'

/** Codes of one question; what more is asked meanwhile goes into the next. */
const CODES_MAX = 64
/** Who asks for more at once is told to come again. */
const WAITING_MAX = 20_000
/** A code that nobody has is not asked for again so soon: less than a change may take to be seen everywhere. */
const MISS_MS = 500
const MISSES_MAX = 20_000
/** After a failure the database is left alone for so long; whoever comes meanwhile need not wait for it. */
const AWAY_MS = 500

type Asked = {
  promise: Promise<TargetRow | undefined>
  resolve(row: TargetRow | undefined): void
  reject(error: unknown): void
}

/**
 * Links of a database that is elsewhere. What is asked for while a question is under way is asked together in the next,
 * so a burst of visitors costs few questions.
 */
export class RemoteTargets implements TargetRows {
  readonly #db: Db
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** What goes into the next question. */
  readonly #asked = new Map<string, Asked>()
  /** When each ends. */
  readonly #misses = new Map<string, number>()
  #isAsking = false
  #awayUntilMs = -Infinity
  /** How often something was forgotten. */
  #forgotten = 0

  constructor(db: Db, clock: Pick<Clock, 'monotonicMs'>) {
    this.#db = db
    this.#clock = clock
  }

  /** A question was not answered, a moment ago. */
  get isAway(): boolean {
    return this.#clock.monotonicMs() < this.#awayUntilMs
  }

  get(code: string): Promise<TargetRow | undefined> | undefined {
    const nowMs = this.#clock.monotonicMs()
    if ((this.#misses.get(code) ?? -Infinity) > nowMs) return undefined
    const known = this.#asked.get(code)
    if (known !== undefined) return known.promise
    if (this.isAway) return Promise.reject(new StoreUnavailable('The database is unavailable.'))
    if (this.#asked.size >= WAITING_MAX)
      return Promise.reject(new StoreUnavailable('Too many links are asked for.'))
    const asked = Promise.withResolvers<TargetRow | undefined>()
    this.#asked.set(code, asked)
    void this.#askAll()
    return asked.promise
  }

  forget(codes: readonly string[]): void {
    this.#forgotten++
    for (const code of codes) this.#misses.delete(code)
  }

  async #askAll(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    // What is asked for in the same turn of the event loop goes along.
    await Promise.resolve()
    while (this.#asked.size > 0) {
      const some = new Map(this.#asked.entries().take(CODES_MAX))
      // Whoever comes from now on may have heard of a change that this answer does not show.
      for (const code of some.keys()) this.#asked.delete(code)
      await this.#ask(some)
    }
    this.#isAsking = false
  }

  async #ask(asked: ReadonlyMap<string, Asked>): Promise<void> {
    const before = this.#forgotten
    try {
      const rows = await targetsOf(this.#db, [...asked.keys()])
      this.#awayUntilMs = -Infinity
      const found = new Map(rows.map((row) => [row.code, row]))
      for (const [code, { resolve }] of asked) {
        // What was forgotten meanwhile may be this one, made just after it was looked for.
        if (!found.has(code) && before === this.#forgotten) this.#noteMiss(code)
        resolve(found.get(code))
      }
    } catch (cause) {
      const isAway = isStoreUnavailable(cause)
      if (isAway) this.#awayUntilMs = this.#clock.monotonicMs() + AWAY_MS
      const error = isAway ? new StoreUnavailable('The database is unavailable.', { cause }) : cause
      // Those who wait for the next question need not wait for the same answer.
      for (const { reject } of [...asked.values(), ...this.#asked.values()]) reject(error)
      this.#asked.clear()
    }
  }

  #noteMiss(code: string): void {
    if (this.#misses.size >= MISSES_MAX) this.#misses.clear()
    this.#misses.set(code, this.#clock.monotonicMs() + MISS_MS)
  }
}

async function targetsOf(db: Db, codes: readonly string[]): Promise<TargetRow[]> {
  return db
    .selectFrom('links')
    .select(['code', 'id', 'account_id', 'is_active'])
    .select(sql<string>`coalesce(target_url, original_url)`.as('href'))
    .where('code', 'in', codes)
    .execute()
}
