import type { Clock } from '../../runtime/clock.ts'
import { RecentMap } from '../../limits/recent-map.ts'
import { Refusal } from '../../errors/refusal.ts'
import { KEYS_MAX, type LimitKey } from '../../limits/window-limit.ts'

/** Free attempts from one IP address, and a multiple from a network; then the wait doubles with each attempt. */
const FREE_TRIES = 5
const FIRST_WAIT_MS = 1_000
const WAIT_MS_MAX = 15 * 60_000
const FORGOTTEN_AFTER_MS = 60 * 60_000

type Tries = { count: number; notBeforeMs: number; lastMs: number }

function waitMs(count: number, times: number): number {
  const beyond = count - FREE_TRIES * times
  return beyond < 0 ? 0 : Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** beyond)
}

/**
 * Slows down guessing. It counts per network and user together, so that nobody elsewhere can lock a user out. Larger networks
 * have more attempts. In memory only.
 */
export class AttemptDelay {
  readonly #clock: Clock
  /** By width, so that many single IP addresses cannot evict the networks that contain them. */
  readonly #tries = new Map<number, RecentMap<Tries>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts an attempt before it is made, so that parallel attempts are no faster than sequential ones. Refused if it comes too
   * soon. The narrowest key comes first.
   */
  attempt(keys: readonly LimitKey[]): void {
    const now = this.#clock.monotonicMs()
    const tries = keys.map((key) => this.#current(key, now))
    const notBeforeMs = Math.max(...tries.map((each) => each.notBeforeMs))
    if (now < notBeforeMs) {
      throw new Refusal('too_many_attempts', 'Too many failed attempts. Try again later.', {
        retryAfterSeconds: Math.ceil((notBeforeMs - now) / 1000),
      })
    }
    for (const [i, { key, times }] of keys.entries()) {
      const each = tries[i]!
      each.count++
      each.lastMs = now
      each.notBeforeMs = now + waitMs(each.count, times)
      this.#triesOf(times).set(key, each)
    }
  }

  /** Uncounts an attempt that could not be made. */
  takeBack(keys: readonly LimitKey[]): void {
    for (const { key, times } of keys) {
      const tries = this.#triesOf(times).get(key)
      if (tries === undefined) continue
      tries.count = Math.max(0, tries.count - 1)
      tries.notBeforeMs = tries.lastMs + waitMs(tries.count, times)
    }
  }

  /** After a correct guess, forgets the earlier wrong ones, but not those of others in the same network. */
  succeed(keys: readonly LimitKey[]): void {
    const [own, ...networks] = keys
    const ownCount = this.#triesOf(own!.times).get(own!.key)?.count ?? 0
    this.#triesOf(own!.times).delete(own!.key)
    for (const { key, times } of networks) {
      const tries = this.#triesOf(times).get(key)
      if (tries === undefined) continue
      tries.count = Math.max(0, tries.count - ownCount)
      if (tries.count < FREE_TRIES * times) tries.notBeforeMs = 0
    }
  }

  #current({ key, times }: LimitKey, now: number): Tries {
    const tries = this.#triesOf(times).get(key)
    const isFresh = tries !== undefined && now - tries.lastMs < FORGOTTEN_AFTER_MS
    return isFresh ? tries : { count: 0, notBeforeMs: 0, lastMs: now }
  }

  #triesOf(times: number): RecentMap<Tries> {
    let tries = this.#tries.get(times)
    if (tries === undefined) this.#tries.set(times, (tries = new RecentMap(KEYS_MAX)))
    return tries
  }
}
