import { type LimitKey, WindowLimit } from '../../limits/window-limit.ts'
import { limitKeys } from '../../network/client-ip.ts'
import { MINUTE_US, type Clock } from '../../runtime/clock.ts'
import type { PasswordQueue } from '../../users/password/password-queue.ts'
import { PasswordTries } from './password-tries.ts'

const ATTEMPTS_MAX = 10
const ATTEMPTS_MS = 10 * 60_000
/** Of one network, over all pages: as for signing in. */
const NETWORK_ATTEMPTS_PER_MINUTE = 30

export type PasswordAttemptsDeps = { clock: Clock; passwords: Pick<PasswordQueue, 'verifyOfLink'> }

/** A password that a visitor has entered. */
export type Attempt = {
  /** What it opens, for the limits. */
  page: string
  workspaceId: number
  passwordHash: string
  /** Too large for a password, so there is nothing to check. */
  password: string | 'too-large'
}

export type AttemptResult =
  | { outcome: 'right' }
  /** `left`: attempts of this network. */
  | { outcome: 'wrong'; left: number }
  | { outcome: 'too-many'; retryAfterSeconds: number }

/** Checks passwords of pages within limits: of a network for a page, of a network for all pages, and of all networks for a page. */
export class PasswordAttempts {
  readonly #passwords: PasswordAttemptsDeps['passwords']
  readonly #ofPage: WindowLimit
  readonly #ofNetwork: WindowLimit
  readonly #fromAnywhere: PasswordTries

  constructor({ clock, passwords }: PasswordAttemptsDeps) {
    this.#passwords = passwords
    this.#fromAnywhere = new PasswordTries(clock)
    this.#ofPage = new WindowLimit(clock, { windowMs: ATTEMPTS_MS, max: ATTEMPTS_MAX })
    this.#ofNetwork = new WindowLimit(clock, {
      windowMs: MINUTE_US / 1_000,
      max: NETWORK_ATTEMPTS_PER_MINUTE,
    })
  }

  async check(ip: string, attempt: Attempt): Promise<AttemptResult> {
    const { page } = attempt
    const keys = limitKeys(ip)
    const keysOfPage = keys.map(({ key, times }): LimitKey => ({ key: `${key} ${page}`, times }))
    const network = this.#ofNetwork.count(keys)
    const attempts = network.isAllowed ? this.#ofPage.count(keysOfPage) : network
    if (!attempts.isAllowed) return tooMany(attempts.retryAfterSeconds)
    const waitSeconds = this.#fromAnywhere.begin(page)
    if (waitSeconds > 0) {
      this.#ofPage.giveBack(keysOfPage)
      return tooMany(waitSeconds)
    }
    const isNotWrong = () => {
      this.#ofPage.giveBack(keysOfPage)
      this.#fromAnywhere.takeBack(page)
    }
    const isRight = await this.#isRight(attempt).catch((error: unknown) => {
      // It was not checked.
      this.#ofNetwork.giveBack(keys)
      isNotWrong()
      throw error
    })
    if (!isRight) {
      const { left, retryAfterSeconds } = attempts
      return left === 0 ? tooMany(retryAfterSeconds) : { outcome: 'wrong', left }
    }
    // Many people behind one address may know it.
    isNotWrong()
    return { outcome: 'right' }
  }

  async #isRight({ workspaceId, passwordHash, password }: Attempt): Promise<boolean> {
    if (password === 'too-large') return false
    return this.#passwords.verifyOfLink(workspaceId, password, passwordHash)
  }
}

const tooMany = (retryAfterSeconds: number): AttemptResult => ({ outcome: 'too-many', retryAfterSeconds })
