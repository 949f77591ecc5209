import { Refusal } from '../errors/refusal.ts'
import { WindowLimit } from '../limits/window-limit.ts'
import type { Clock } from '../runtime/clock.ts'

const MINUTE_MS = 60_000
/** A look at a page is up to three: the page, its icon and its picture. */
export const OPENINGS_PER_MINUTE = 60

/** How often this thread opens a host, over all workspaces: many of them together send no more to somebody else's server. */
export class HostLimit {
  readonly #limit: WindowLimit
  readonly #ownHost: string

  constructor(clock: Clock, baseUrl: string) {
    this.#limit = new WindowLimit(clock, { windowMs: MINUTE_MS, max: OPENINGS_PER_MINUTE })
    this.#ownHost = new URL(baseUrl).hostname
  }

  /** Whether this server reaches itself is part of every check of a domain, so that is not counted. */
  count(host: string): void {
    if (host === this.#ownHost) return
    const { isAllowed, retryAfterSeconds } = this.#limit.count([{ key: host, times: 1 }])
    if (!isAllowed)
      throw new Refusal('too_many_requests', `${host} was opened too often. Try again in a minute.`, {
        retryAfterSeconds,
      })
  }
}
