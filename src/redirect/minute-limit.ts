import { limitKeys } from '../clicks/client-ip.ts'
import type { Clock } from '../clock.ts'
import { type LimitVerdict, WindowLimit } from '../window-limit.ts'

const WINDOW_MS = 60_000

/** So many a minute for one address, or one IPv6 /64; a multiple for the networks that it is in. */
export class MinuteLimit {
  readonly #limit: WindowLimit

  constructor(clock: Clock, perMinute: number) {
    this.#limit = new WindowLimit(clock, { windowMs: WINDOW_MS, max: perMinute })
  }

  count(ip: string): LimitVerdict {
    return this.#limit.count(limitKeys(ip))
  }
}
