import type { Tx } from '../../store/handles.ts'
import { findRows, type RowInsert, writeRows } from '../../store/engine-sql.ts'

/** One combination of what is known about a click; '' where unknown. */
export type ClickDimensions = {
  country: string
  device: string
  browser: string
  os: string
  referrer: string
}

/** For bots, which have no dimensions. */
export const BOT_DIMENSIONS_ID = 0

const REMEMBERED_MAX = 50_000

/**
 * The combinations seen so far and their ids, so that counters store one number instead of five texts. Each combination is
 * one object, so counting compares them by identity.
 */
export class DimensionSets {
  #generation = 0
  readonly #byKey = new Map<string, ClickDimensions>()
  readonly #ids = new Map<ClickDimensions, number>()
  /** Found since the last commit. */
  #uncommitted = new Map<ClickDimensions, number>()

  /** Changes when `of` no longer returns the same objects as before. */
  get generation(): number {
    return this.#generation
  }

  /** The object of this combination; the same one until `forgetSome` is called. */
  of(dimensions: ClickDimensions): ClickDimensions {
    const key = keyOf(dimensions)
    const id = this.#byKey.get(key)
    if (id !== undefined) return id
    this.#byKey.set(key, dimensions)
    return dimensions
  }

  /** The id of each, created if new. Call `remember` after the commit. */
  async find(tx: Tx, dimensionSets: Iterable<ClickDimensions>): Promise<Map<ClickDimensions, number>> {
    this.#uncommitted = new Map()
    const ids = new Map<ClickDimensions, number>()
    const missing: ClickDimensions[] = []
    for (const dimensions of dimensionSets) {
      const id = this.#ids.get(dimensions)
      if (id === undefined) missing.push(dimensions)
      else ids.set(dimensions, id)
    }
    await this.#findOrMake(tx, missing)
    for (const [dimensions, id] of this.#uncommitted) ids.set(dimensions, id)
    return ids
  }

  async #findOrMake(tx: Tx, missing: readonly ClickDimensions[]): Promise<void> {
    const take = (rows: (ClickDimensions & { id: number })[]) => {
      for (const { id, ...dimensions } of rows) this.#uncommitted.set(this.of(dimensions), id)
    }
    // Read first: a write would block other nodes that need the row until the transaction ends.
    take(await findRows(tx, FOUND_OR_MADE, missing.map(rowOf)))
    const rows = missing.filter((dimensions) => !this.#uncommitted.has(dimensions)).map(rowOf)
    // Sorted, because transactions that lock rows in different orders deadlock.
    rows.sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1))
    take(await writeRows(tx, FOUND_OR_MADE, rows))
  }

  /** Only after the commit: an id that was rolled back may go to another combination. */
  remember(): void {
    for (const [dimensions, id] of this.#uncommitted) this.#ids.set(dimensions, id)
    this.#uncommitted.clear()
  }

  /** Bounds memory. Only between batches, because a batch relies on the identity of its objects. */
  forgetSome(): void {
    if (this.#byKey.size > REMEMBERED_MAX) this.forget()
  }

  /** Call it when the store may have lost commits. */
  forget(): void {
    this.#generation++
    this.#byKey.clear()
    this.#ids.clear()
  }
}

const keyOf = ({ country, device, browser, os, referrer }: ClickDimensions): string =>
  `${country}\n${device}\n${browser}\n${os}\n${referrer}`

const rowOf = (a: ClickDimensions) => [a.country, a.device, a.browser, a.os, a.referrer]

const DIMENSION_COLUMNS = ['country', 'device', 'browser', 'os', 'referrer']

const FOUND_OR_MADE: RowInsert = {
  table: 'click_dimensions',
  columns: DIMENSION_COLUMNS,
  texts: DIMENSION_COLUMNS,
  // An update rather than "do nothing", so that existing rows are returned too.
  then: `ON CONFLICT (country, device, browser, os, referrer) DO UPDATE SET country = excluded.country
    RETURNING id, country, device, browser, os, referrer`,
}
