import { ipPrefix } from '../clicks/client-ip.ts'
import type { Clock } from '../clock.ts'

const WINDOW_MS = 60_000
const PREFIXES_MAX = 50_000

/** Whether an address is within its limit; if not, when it will be again. */
export type LimitVerdict = { isAllowed: boolean; retryAfterSeconds: number }

/** So many a minute for one address, or one IPv6 /64. Kept in memory only. */
export class MinuteLimit {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #counts = new Map<string, number>()
  #windowStartedMs = 0

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  count(ip: string): LimitVerdict {
    const now = this.#clock.monotonicMs()
    if (now - this.#windowStartedMs >= WINDOW_MS) {
      this.#counts.clear()
      this.#windowStartedMs = now
    }
    const prefix = ipPrefix(ip)
    // With so many in one minute somebody has a whole network to ask from: whoever comes late shares one count.
    const key = this.#counts.has(prefix) || this.#counts.size < PREFIXES_MAX ? prefix : 'everybody else'
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    const leftMs = WINDOW_MS - (now - this.#windowStartedMs)
    return { isAllowed: count <= this.#perMinute, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) }
  }
}
