import { Refusal } from '../../refusal.ts'

const RETRY_SECONDS = 30

type PlaceLimits = {
  perAccount: number
  /** For everybody together. */
  max: number
  /** What is said to who comes beyond that. */
  sentence: string
}

/** How many answers may go on at once: each holds memory and a connection for as long as its client likes. */
export class StreamPlaces {
  readonly #limits: PlaceLimits
  readonly #taken = new Map<symbol, number>()

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Refused when too many are taken. Gives the way to leave the place, which may be called again. */
  take(accountId: number): () => void {
    const { perAccount, max, sentence } = this.#limits
    const own = [...this.#taken.values()].filter((each) => each === accountId).length
    if (own >= perAccount || this.#taken.size >= max) {
      throw new Refusal('too-many', sentence, { retryAfterSeconds: RETRY_SECONDS })
    }
    const place = Symbol()
    this.#taken.set(place, accountId)
    return () => void this.#taken.delete(place)
  }
}
