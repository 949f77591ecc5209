import type { Db } from '../store/open-store.ts'
import { type RowTarget, writeRows } from '../store/write-rows.ts'

/** One combination of what is known about a click; '' where unknown. */
export type Audience = { country: string; device: string; browser: string; os: string; referrer: string }

/** Of bots nothing is kept but their number. */
export const BOT_AUDIENCE_ID = 0

const REMEMBERED_MAX = 50_000

export const audienceKey = (a: Audience): string =>
  [a.country, a.device, a.browser, a.os, a.referrer].join('\n')

/** Ids of the combinations, so that counters hold a number instead of five texts. */
export class AudienceIds {
  readonly #known = new Map<string, number>()

  /** The id of each combination by its key, made where new. Call `remember` with them once they are committed. */
  async find(tx: Db, audiences: Map<string, Audience>): Promise<Map<string, number>> {
    const ids = new Map<string, number>()
    const missing: string[][] = []
    for (const [key, { country, device, browser, os, referrer }] of audiences) {
      const id = this.#known.get(key)
      if (id === undefined) missing.push([country, device, browser, os, referrer])
      else ids.set(key, id)
    }
    for (const { id, ...audience } of await writeRows<Audience & { id: number }>(
      tx,
      FOUND_OR_MADE,
      missing,
    )) {
      ids.set(audienceKey(audience), id)
    }
    return ids
  }

  /** Only after the commit: an id that was rolled back may be given to another combination. */
  remember(ids: Map<string, number>): void {
    if (this.#known.size + ids.size > REMEMBERED_MAX) this.#known.clear()
    for (const [key, id] of ids) this.#known.set(key, id)
  }
}

const FOUND_OR_MADE: RowTarget = {
  table: 'audiences',
  columns: ['country', 'device', 'browser', 'os', 'referrer'],
  // Not "do nothing": a row that is already there must be returned as well.
  then: `ON CONFLICT (country, device, browser, os, referrer) DO UPDATE SET country = excluded.country
    RETURNING id, country, device, browser, os, referrer`,
}
