import { limitKeys } from '../network/client-ip.ts'
import type { Clock } from '../runtime/clock.ts'
import { type LimitResult, WindowLimit } from './window-limit.ts'

const WINDOW_MS = 60_000

/** Requests per minute for an IP address, or IPv6 /64, with higher limits for the networks that contain it. */
export class MinuteLimit {
  readonly #limit: WindowLimit

  constructor(clock: Clock, perMinute: number) {
    this.#limit = new WindowLimit(clock, { windowMs: WINDOW_MS, max: perMinute })
  }

  count(ip: string): LimitResult {
    return this.#limit.count(limitKeys(ip))
  }
}
