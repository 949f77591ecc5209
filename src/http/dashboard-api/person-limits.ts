import { AttemptDelay } from '../../accounts/attempt-delay.ts'
import { readEmail } from '../../accounts/email.ts'
import { limitKeys } from '../../clicks/client-ip.ts'
import type { Clock } from '../../clock.ts'
import type { Counter } from '../../instruments.ts'
import { Refusal } from '../../refusal.ts'
import { type LimitVerdict, WindowLimit } from '../../window-limit.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Any requests of the dashboard from one network: some people with some pages each. */
const REQUESTS_PER_MINUTE = 1_000
/** Passwords, codes and tokens that are shown from one network. */
const SECRETS_PER_MINUTE = 30
/** Mails that strangers can have sent to one address, and from one network. */
const MAILS_PER_ADDRESS_AND_HOUR = 3
const MAILS_PER_NETWORK_AND_HOUR = 30
/** Changes of one account that its owner is mailed about, by whoever is signed in. */
const NOTICES_PER_ACCOUNT_AND_HOUR = 20

/**
 * What one network, and one address, may ask for without being known. An IPv6 /64 is one
 * network; wider ones have a multiple (`limitKeys`).
 */
export class PersonLimits {
  readonly #requests: WindowLimit
  readonly #secrets: WindowLimit
  readonly #mailsToAddress: WindowLimit
  readonly #mailsFromNetwork: WindowLimit
  readonly #noticesToAccount: WindowLimit
  readonly #attempts: AttemptDelay

  readonly #refusals: Pick<Counter, 'add'>

  /** `refusals` counts what is too much for a network or an address. */
  constructor(clock: Clock, refusals: Pick<Counter, 'add'>) {
    this.#refusals = refusals
    this.#requests = new WindowLimit(clock, { windowMs: MINUTE_MS, max: REQUESTS_PER_MINUTE })
    this.#secrets = new WindowLimit(clock, { windowMs: MINUTE_MS, max: SECRETS_PER_MINUTE })
    this.#mailsToAddress = new WindowLimit(clock, { windowMs: HOUR_MS, max: MAILS_PER_ADDRESS_AND_HOUR })
    this.#mailsFromNetwork = new WindowLimit(clock, { windowMs: HOUR_MS, max: MAILS_PER_NETWORK_AND_HOUR })
    this.#noticesToAccount = new WindowLimit(clock, { windowMs: HOUR_MS, max: NOTICES_PER_ACCOUNT_AND_HOUR })
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

  /** Counts a mail to an address: every one alike, so that a refusal does not tell who has an account. */
  mailsFrom(ip: string): (email: unknown) => void {
    return (email) => {
      this.#refuseOver(
        this.#mailsFromNetwork.count(limitKeys(ip)),
        'Too many emails were requested from your network. Try again later.',
      )
      this.#refuseOver(
        this.#mailsToAddress.count([{ key: readEmail(email), times: 1 }]),
        'Too many emails were requested for this address. Try again later.',
      )
    }
  }

  /** Counts a change that the owner is mailed about. It is refused, not made in silence, when there were too many. */
  notice(accountId: number): void {
    this.#refuseOver(
      this.#noticesToAccount.count([{ key: `${accountId}`, times: 1 }]),
      'Too many security changes of this account. Try again in an hour.',
    )
  }

  /** Tries one guess at what only its owner knows: slower and slower, until one was right. What throws was wrong. */
  async guess<Value>(
    { ip, owner }: { ip: string; owner: string | number },
    work: () => Promise<Value>,
    isRight: (value: Value) => boolean = () => true,
  ): Promise<Value> {
    this.secret(ip)
    const keys = limitKeys(ip).map(({ key, times }) => ({ key: `${key} ${owner}`, times }))
    this.#attempts.attempt(keys)
    const value = await work()
    if (isRight(value)) this.#attempts.succeed(keys)
    return value
  }

  #refuseOver({ isAllowed, retryAfterSeconds }: LimitVerdict, sentence: string): void {
    if (isAllowed) return
    this.#refusals.add()
    throw new Refusal('too-many', sentence, { retryAfterSeconds })
  }
}
