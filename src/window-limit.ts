import type { Clock } from './clock.ts'

const KEYS_MAX = 50_000

/** Whether who asks is within the limit; if not, when that will be so again. */
export type LimitVerdict = { isAllowed: boolean; retryAfterSeconds: number }

/** So many in a stretch of time for each key. Kept in memory only. */
export class WindowLimit {
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #max: number
  readonly #counts = new Map<string, number>()
  #windowStartedMs = 0

  constructor(clock: Clock, { windowMs, max }: { windowMs: number; max: number }) {
    this.#clock = clock
    this.#windowMs = windowMs
    this.#max = max
  }

  count(key: string): LimitVerdict {
    const now = this.#clock.monotonicMs()
    if (now - this.#windowStartedMs >= this.#windowMs) {
      this.#counts.clear()
      this.#windowStartedMs = now
    }
    // With so many in one window somebody has a whole network to ask from: whoever comes late shares one count.
    const counted = this.#counts.has(key) || this.#counts.size < KEYS_MAX ? key : 'everybody else'
    const count = (this.#counts.get(counted) ?? 0) + 1
    this.#counts.set(counted, count)
    const leftMs = this.#windowMs - (now - this.#windowStartedMs)
    return { isAllowed: count <= this.#max, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) }
  }
}
