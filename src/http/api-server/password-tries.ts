import { RecentMap } from '../../limits/recent-map.ts'
import { KEYS_MAX } from '../../limits/window-limit.ts'
import type { Clock } from '../../runtime/clock.ts'

/** Wrong passwords of a page from all networks in an hour. Then each further one doubles the wait for the next. */
export const FREE_TRIES = 1_000
const WINDOW_MS = 60 * 60_000
const FIRST_WAIT_MS = 60_000
const WAIT_MS_MAX = 15 * 60_000

type Tries = { count: number; windowEndsMs: number; notBeforeMs: number }

/** Slows down those who guess the password of a page from many networks. It ends with the hour. In memory only. */
export class PasswordTries {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #tries = new RecentMap<Tries>(KEYS_MAX)

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Counts a try before it is made, so that parallel ones are no faster. Gives the seconds to wait if it comes too soon, else 0. */
  begin(page: string): number {
    const now = this.#clock.monotonicMs()
    const earlier = this.#tries.get(page)
    const tries =
      earlier !== undefined && now < earlier.windowEndsMs
        ? earlier
        : { count: 0, windowEndsMs: now + WINDOW_MS, notBeforeMs: 0 }
    const endsMs = Math.min(tries.notBeforeMs, tries.windowEndsMs)
    if (now < endsMs) return Math.ceil((endsMs - now) / 1000)
    tries.count++
    const beyond = tries.count - FREE_TRIES
    tries.notBeforeMs = beyond < 0 ? 0 : now + Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** beyond)
    this.#tries.set(page, tries)
    return 0
  }

  /** It was no wrong one. */
  takeBack(page: string): void {
    const tries = this.#tries.get(page)
    if (tries === undefined || tries.count === 0) return
    tries.count--
    tries.notBeforeMs = 0
  }
}
