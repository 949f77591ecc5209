import type { Clock } from './clock.ts'
import { RecentMap } from './recent-map.ts'

/** Of each width so many are remembered, or half as many where all ask once: 18 MB when four widths are full. */
export const KEYS_MAX = 40_000

/** Whether who asks is within the limit; if not, when that will be so again. */
export type LimitVerdict = { isAllowed: boolean; retryAfterSeconds: number }

/** Who asks, or a network they are in, and how many times what one may do all of that network may do together. */
export type LimitKey = { key: string; times: number }

/**
 * So many in a stretch of time for each key. A request counts against all of its keys, so that somebody with a whole
 * network to ask from reaches that network's bound and nobody else's. In memory only.
 */
export class WindowLimit {
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #max: number
  /** By width, so that a flood of single addresses cannot push out the networks that they are in. */
  readonly #counts = new Map<number, RecentMap<number>>()
  #windowStartedMs = 0

  constructor(clock: Clock, { windowMs, max }: { windowMs: number; max: number }) {
    this.#clock = clock
    this.#windowMs = windowMs
    this.#max = max
  }

  count(keys: readonly LimitKey[]): LimitVerdict {
    const now = this.#clock.monotonicMs()
    if (now - this.#windowStartedMs >= this.#windowMs) {
      this.#counts.clear()
      this.#windowStartedMs = now
    }
    const counts = keys.map(({ key, times }) => this.#countsOf(times).get(key) ?? 0)
    const isAllowed = keys.every(({ times }, i) => counts[i]! < this.#max * times)
    // What is refused counts against nobody: one address alone cannot use up what its neighbors have.
    if (isAllowed)
      for (const [i, { key, times }] of keys.entries()) this.#countsOf(times).set(key, counts[i]! + 1)
    const leftMs = this.#windowMs - (now - this.#windowStartedMs)
    return { isAllowed, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) }
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#counts.values().reduce((sum, { size }) => sum + size, 0)
  }

  #countsOf(times: number): RecentMap<number> {
    let counts = this.#counts.get(times)
    if (counts === undefined) this.#counts.set(times, (counts = new RecentMap(KEYS_MAX)))
    return counts
  }
}
