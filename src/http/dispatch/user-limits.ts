import { AttemptDelay } from '../../users/sign-in/attempt-delay.ts'
import { limitKeys } from '../../network/client-ip.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Counter } from '../../metrics/instruments.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type LimitResult, WindowLimit } from '../../limits/window-limit.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Requests to the dashboard from one network: several users with several pages each. */
const REQUESTS_PER_MINUTE = 1_000
/** Submitted passwords, codes and tokens from one network. */
const SECRETS_PER_MINUTE = 30
/** Emails that anybody can request, to one email address and from one network. */
const MAILS_PER_ADDRESS_AND_HOUR = 3
const MAILS_PER_NETWORK_AND_HOUR = 30
/** Changes that a user is notified about. */
const NOTICES_PER_USER_AND_HOUR = 20

const wasNotMade = (error: unknown): boolean =>
  isStoreUnavailable(error) || (error instanceof Refusal && error.kind === 'unavailable')

/** Limits per network and per email address. An IPv6 /64 is one network; wider ones have a multiple (`limitKeys`). */
export class UserLimits {
  readonly #requests: WindowLimit
  readonly #secrets: WindowLimit
  readonly #mailsToAddress: WindowLimit
  readonly #mailsFromNetwork: WindowLimit
  readonly #noticesToUser: WindowLimit
  readonly #attempts: AttemptDelay

  readonly #refusals: Pick<Counter, 'add'>

  constructor(clock: Clock, refusals: Pick<Counter, 'add'>) {
    this.#refusals = refusals
    this.#requests = new WindowLimit(clock, { windowMs: MINUTE_MS, max: REQUESTS_PER_MINUTE })
    this.#secrets = new WindowLimit(clock, { windowMs: MINUTE_MS, max: SECRETS_PER_MINUTE })
    this.#mailsToAddress = new WindowLimit(clock, { windowMs: HOUR_MS, max: MAILS_PER_ADDRESS_AND_HOUR })
    this.#mailsFromNetwork = new WindowLimit(clock, { windowMs: HOUR_MS, max: MAILS_PER_NETWORK_AND_HOUR })
    this.#noticesToUser = new WindowLimit(clock, { windowMs: HOUR_MS, max: NOTICES_PER_USER_AND_HOUR })
    this.#attempts = new AttemptDelay(clock)
  }

  request(ip: string): void {
    this.#refuseOver(this.#requests.count(limitKeys(ip)), 'Too many requests from your network.')
  }

  secret(ip: string): void {
    this.#refuseOver(
      this.#secrets.count(limitKeys(ip)),
      'Too many attempts from your network. Try again in a minute.',
    )
  }

  /** Counts emails to any email address alike, so that a refusal does not reveal who has an account. */
  mailsFrom(ip: string): (email: string) => void {
    return (email) => {
      this.#refuseOver(
        this.#mailsFromNetwork.count(limitKeys(ip)),
        'Too many emails were requested from your network. Try again later.',
      )
      this.#refuseOver(
        this.#mailsToAddress.count([{ key: email, times: 1 }]),
        'Too many emails were requested for this address. Try again later.',
      )
    }
  }

  /** Counts a change that the user is notified about. After too many, changes are refused, so none happens silently. */
  notice(userId: number): void {
    this.#refuseOver(
      this.#noticesToUser.count([{ key: `${userId}`, times: 1 }]),
      'Too many security changes of this account. Try again in an hour.',
    )
  }

  /**
   * Runs one attempt at a secret, with a growing delay until one succeeds. An attempt that throws has failed, unless it
   * could not be made: the server was busy.
   */
  async guess<Value>(
    { ip, owner }: { ip: string; owner: string | number },
    work: () => Promise<Value>,
    isRight: (value: Value) => boolean = () => true,
  ): Promise<Value> {
    this.secret(ip)
    const keys = limitKeys(ip).map(({ key, times }) => ({ key: `${key} ${owner}`, times }))
    this.#attempts.attempt(keys)
    const value = await work().catch((error: unknown) => {
      if (wasNotMade(error)) {
        this.#secrets.giveBack(limitKeys(ip))
        this.#attempts.takeBack(keys)
      }
      throw error
    })
    if (isRight(value)) this.#attempts.succeed(keys)
    return value
  }

  #refuseOver({ isAllowed, retryAfterSeconds }: LimitResult, sentence: string): void {
    if (isAllowed) return
    this.#refusals.add()
    throw new Refusal('too_many_requests', sentence, { retryAfterSeconds })
  }
}
