import { availableParallelism } from 'node:os'
import { Refusal } from '../../errors/refusal.ts'
import { hashPassword, PASSWORD_UNITS_MAX } from './password.ts'
import { newSecret } from '../tokens/secret-text.ts'

/** At most half of the cores, so that the others serve visitors. */
const AT_ONCE_MAX = Math.max(1, Math.floor(availableParallelism() / 2))
/** About two seconds of work. Beyond that, requests get 503, so that hashes cannot fill the memory. */
const WAITING_MAX = 50
const RETRY_SECONDS = 5

/** Each Argon2 hash takes 19 MiB and 30 ms of a core, so few run at a time, behind a bounded queue. */
export class PasswordQueue {
  readonly #waiting: (() => void)[] = []
  #running = 0
  #dummy: Promise<string> | undefined

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password))
  }

  /** Without a hash, does the same work, so that the time does not reveal who has an account. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    // No password is longer, and the time to normalize it grows with the square of its length.
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
      // Passes its place on: if it released and took it again, another caller could take it in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) {
      throw new Refusal(
        'server_busy',
        'Too many passwords are being checked at the moment. Try again in a few seconds.',
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      )
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
