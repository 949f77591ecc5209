import { availableParallelism } from 'node:os'
import { Refusal } from '../refusal.ts'
import { hashPassword, PASSWORD_UNITS_MAX } from './password.ts'
import { newSecret } from './secret-text.ts'

/** Half of the cores at most: the others answer visitors. */
const AT_ONCE_MAX = Math.max(1, Math.floor(availableParallelism() / 2))
/** Some two seconds of work. Who comes beyond that is told to come again, before the memory is full of hashes. */
const WAITING_MAX = 50
const RETRY_SECONDS = 5

/** Argon2 takes 19 MiB and 30 ms of a core each time: few at once, and a bounded queue before them. */
export class PasswordQueue {
  readonly #waiting: (() => void)[] = []
  #running = 0
  #dummy: Promise<string> | undefined

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password))
  }

  /** Without a hash the same work is done in vain, so that the time does not tell who has an account. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    // A longer one is nobody's password, and normalizing it would take time with the square of its length.
    const isTooLong = password.length > PASSWORD_UNITS_MAX
    const normal = isTooLong ? '' : password.normalize('NFC')
    const isPossible = hash !== undefined && hash !== '' && !isTooLong
    const dummy = await (this.#dummy ??= hashPassword(newSecret()))
    const text = isPossible && normal !== '' ? normal : 'nobody’s'
    const isRight = await this.#inTurn(() => Bun.password.verify(text, isPossible ? hash : dummy))
    return isPossible && isRight
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running < AT_ONCE_MAX) this.#running++
    else await this.#turn()
    try {
      return await work()
    } finally {
      // Handed on, not given up and taken again: in between somebody else could take it too.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) {
      throw new Refusal(
        'unavailable',
        'Too many users are signing in at the moment. Try again in a few seconds.',
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      )
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
