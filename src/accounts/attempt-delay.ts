import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'

/** So many tries are free; after each one more the wait doubles. */
const FREE_TRIES = 5
const FIRST_WAIT_MS = 1_000
const WAIT_MS_MAX = 15 * 60_000
const FORGOTTEN_AFTER_MS = 60 * 60_000
const KEYS_MAX = 50_000

type Tries = { count: number; notBeforeMs: number; lastMs: number }

/**
 * Slows down whoever guesses. It counts by who guesses and whose secret it is together, so that a stranger elsewhere
 * cannot lock the owner out. In memory only.
 */
export class AttemptDelay {
  readonly #clock: Clock
  readonly #tries = new Map<string, Tries>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a try before it is made, so that many at once are as slow as one after the other. Refused when too soon. */
  attempt(key: string): void {
    const now = this.#clock.monotonicMs()
    const tries = this.#current(key, now)
    if (now < tries.notBeforeMs) {
      throw new Refusal('too-many', 'Too many wrong tries. Come again later.', {
        retryAfterSeconds: Math.ceil((tries.notBeforeMs - now) / 1000),
      })
    }
    tries.count++
    tries.lastMs = now
    const beyond = tries.count - FREE_TRIES
    if (beyond >= 0) tries.notBeforeMs = now + Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** beyond)
  }

  /** It was right: what was wrong before is forgotten. */
  succeed(key: string): void {
    this.#tries.delete(key)
  }

  #current(key: string, now: number): Tries {
    const known = this.#tries.get(key)
    const isFresh = known !== undefined && now - known.lastMs < FORGOTTEN_AFTER_MS
    const tries = isFresh ? known : { count: 0, notBeforeMs: 0, lastMs: now }
    // Anew at the end: those who have tried nothing for longest stand first, and make room.
    this.#tries.delete(key)
    this.#tries.set(key, tries)
    if (this.#tries.size > KEYS_MAX) this.#tries.delete(this.#tries.keys().next().value!)
    return tries
  }
}
