import { Refusal } from '../errors/refusal.ts'

const RETRY_SECONDS = 30

type PlaceLimits = {
  perWorkspace: number
  /** For all workspaces together. */
  max: number
  /** The message of the refusal. */
  sentence: string
}

/** Limits concurrent streams: each holds memory and a connection for as long as its client likes. */
export class StreamPlaces {
  readonly #limits: PlaceLimits
  readonly #taken = new Map<symbol, number>()

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Returns a function that frees the place, and may be called twice. Refused if all places are taken. */
  take(workspaceId: number): () => void {
    const { perWorkspace, max, sentence } = this.#limits
    const own = [...this.#taken.values()].filter((each) => each === workspaceId).length
    if (own >= perWorkspace || this.#taken.size >= max) {
      throw new Refusal('too_many_streams', sentence, { retryAfterSeconds: RETRY_SECONDS })
    }
    const place = Symbol()
    this.#taken.set(place, workspaceId)
    return () => void this.#taken.delete(place)
  }
}
