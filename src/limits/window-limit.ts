import type { Clock } from '../runtime/clock.ts'
import { RecentMap } from './recent-map.ts'

/** Per width of network; half as many if each is used once. Four full widths take 18 MB. */
export const KEYS_MAX = 40_000

export type LimitResult = { isAllowed: boolean; retryAfterSeconds: number }
/** `left`: how many more requests would be allowed now. */
type CountResult = LimitResult & { left: number }

/** A client, or a network that contains it. The network's limit is `times` the limit of one client. */
export type LimitKey = { key: string; times: number }

/**
 * A limit per window of time for each key. A request counts against all of its keys, so a client that uses a whole network
 * reaches the limit of that network and affects nobody else. In memory only.
 */
export class WindowLimit {
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #max: number
  /** By width, so that a flood of single addresses cannot evict their networks. */
  readonly #counts = new Map<number, RecentMap<number>>()
  #windowStartedMs = 0

  constructor(clock: Clock, { windowMs, max }: { windowMs: number; max: number }) {
    this.#clock = clock
    this.#windowMs = windowMs
    this.#max = max
  }

  count(keys: readonly LimitKey[]): CountResult {
    const now = this.#clock.monotonicMs()
    if (now - this.#windowStartedMs >= this.#windowMs) {
      this.#counts.clear()
      this.#windowStartedMs = now
    }
    const counts = keys.map(({ key, times }) => this.#countsOf(times).get(key) ?? 0)
    const free = Math.min(...keys.map(({ times }, i) => this.#max * times - counts[i]!))
    const isAllowed = free > 0
    // A refused request is not counted: one address cannot use up the limit of its network.
    if (isAllowed)
      for (const [i, { key, times }] of keys.entries()) this.#countsOf(times).set(key, counts[i]! + 1)
    const leftMs = this.#windowMs - (now - this.#windowStartedMs)
    return {
      isAllowed,
      left: isAllowed ? free - 1 : 0,
      retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    }
  }

  /** Uncounts a request that was allowed. */
  giveBack(keys: readonly LimitKey[]): void {
    for (const { key, times } of keys) {
      const counts = this.#countsOf(times)
      const count = counts.get(key)
      if (count !== undefined && count > 0) counts.set(key, count - 1)
    }
  }

  get size(): number {
    return this.#counts.values().reduce((sum, { size }) => sum + size, 0)
  }

  #countsOf(times: number): RecentMap<number> {
    let counts = this.#counts.get(times)
    if (counts === undefined) this.#counts.set(times, (counts = new RecentMap(KEYS_MAX)))
    return counts
  }
}
