import type { Db } from '../store/open-store.ts'
import { findRows, type RowTarget, writeRows } from '../store/engine-sql.ts'

/** One combination of what is known about a click; '' where unknown. */
export type Audience = { country: string; device: string; browser: string; os: string; referrer: string }

/** Of bots nothing is kept but their number. */
export const BOT_AUDIENCE_ID = 0

const REMEMBERED_MAX = 50_000

/**
 * The combinations that have come up, and their ids, so that counters hold a number instead of five texts. Each is one
 * object, so that counting can tell them by identity.
 */
export class Audiences {
  #generation = 0
  readonly #byKey = new Map<string, Audience>()
  readonly #ids = new Map<Audience, number>()
  /** Found since the last commit. */
  #uncommitted = new Map<Audience, number>()

  /** Another number when the objects of before are no longer those that `of` gives. */
  get generation(): number {
    return this.#generation
  }

  /** The one object of this combination, until `forgetSome` is called. */
  of(audience: Audience): Audience {
    const key = keyOf(audience)
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    this.#byKey.set(key, audience)
    return audience
  }

  /** The id of each, made where new. Call `remember` once they are committed. */
  async find(tx: Db, audiences: Iterable<Audience>): Promise<Map<Audience, number>> {
    this.#uncommitted = new Map()
    const ids = new Map<Audience, number>()
    const missing: Audience[] = []
    for (const audience of audiences) {
      const id = this.#ids.get(audience)
      if (id === undefined) missing.push(audience)
      else ids.set(audience, id)
    }
    await this.#findOrMake(tx, missing)
    for (const [audience, id] of this.#uncommitted) ids.set(audience, id)
    return ids
  }

  async #findOrMake(tx: Db, missing: readonly Audience[]): Promise<void> {
    const take = (rows: (Audience & { id: number })[]) => {
      for (const { id, ...audience } of rows) this.#uncommitted.set(this.of(audience), id)
    }
    // Most are there; to write one is to hold up everybody else who needs it until the end of the transaction.
    take(await findRows(tx, FOUND_OR_MADE, missing.map(rowOf)))
    const rows = missing.filter((audience) => !this.#uncommitted.has(audience)).map(rowOf)
    // In one order for everybody: two transactions that each wait for the other's rows would end in a refusal.
    rows.sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1))
    take(await writeRows(tx, FOUND_OR_MADE, rows))
  }

  /** Only after the commit: an id that was rolled back may be given to another combination. */
  remember(): void {
    for (const [audience, id] of this.#uncommitted) this.#ids.set(audience, id)
    this.#uncommitted.clear()
  }

  /** Keeps memory bounded; between two batches only, because what is counted together must be one object. */
  forgetSome(): void {
    if (this.#byKey.size > REMEMBERED_MAX) this.forget()
  }

  /** When the store may have gone back behind what was committed. */
  forget(): void {
    this.#generation++
    this.#byKey.clear()
    this.#ids.clear()
  }
}

const keyOf = ({ country, device, browser, os, referrer }: Audience): string =>
  `${country}\n${device}\n${browser}\n${os}\n${referrer}`

const rowOf = (a: Audience) => [a.country, a.device, a.browser, a.os, a.referrer]

const AUDIENCE_COLUMNS = ['country', 'device', 'browser', 'os', 'referrer']

const FOUND_OR_MADE: RowTarget = {
  table: 'audiences',
  columns: AUDIENCE_COLUMNS,
  texts: AUDIENCE_COLUMNS,
  // Not "do nothing": a row that is already there must be returned as well.
  then: `ON CONFLICT (country, device, browser, os, referrer) DO UPDATE SET country = excluded.country
    RETURNING id, country, device, browser, os, referrer`,
}
