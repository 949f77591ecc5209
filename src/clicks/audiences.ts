import type { Db } from '../store/open-store.ts'

/** One combination of what is known about a click; '' where unknown. */
export type Audience = { country: string; device: string; browser: string; os: string; referrer: string }

/** Of bots nothing is kept but their number. */
export const BOT_AUDIENCE_ID = 0

const REMEMBERED_MAX = 50_000
const ROWS_PER_STATEMENT = 500

export const audienceKey = (a: Audience): string =>
  [a.country, a.device, a.browser, a.os, a.referrer].join('\n')

/** Ids of the combinations, so that counters hold a number instead of five texts. */
export class AudienceIds {
  readonly #known = new Map<string, number>()

  /** The id of each combination by its key, made where new. Call `remember` with them once they are committed. */
  async find(tx: Db, audiences: Map<string, Audience>): Promise<Map<string, number>> {
    const ids = new Map<string, number>()
    const missing: Audience[] = []
    for (const [key, audience] of audiences) {
      const id = this.#known.get(key)
      if (id === undefined) missing.push(audience)
      else ids.set(key, id)
    }
    for (let from = 0; from < missing.length; from += ROWS_PER_STATEMENT) {
      const rows = await tx
        .insertInto('audiences')
        .values(missing.slice(from, from + ROWS_PER_STATEMENT))
        // Not "do nothing": a row that is already there must be returned as well.
        .onConflict((conflict) =>
          conflict
            .columns(['country', 'device', 'browser', 'os', 'referrer'])
            .doUpdateSet((eb) => ({ country: eb.ref('excluded.country') })),
        )
        .returning(['id', 'country', 'device', 'browser', 'os', 'referrer'])
        .execute()
      for (const { id, ...audience } of rows) ids.set(audienceKey(audience), id)
    }
    return ids
  }

  /** Only after the commit: an id that was rolled back may be given to another combination. */
  remember(ids: Map<string, number>): void {
    if (this.#known.size + ids.size > REMEMBERED_MAX) this.#known.clear()
    for (const [key, id] of ids) this.#known.set(key, id)
  }
}
