import { availableParallelism } from 'node:os'
import { Refusal } from '../../errors/refusal.ts'
import { WindowLimit } from '../../limits/window-limit.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { hashPassword, isPassword, PASSWORD_UNITS_MAX } from './password.ts'
import { newSecret } from '../tokens/secret-text.ts'

/** At most half of the cores, so that the others serve visitors. */
const AT_ONCE_MAX = Math.max(1, Math.floor(availableParallelism() / 2))
/** Of users, and of the links of each workspace. Beyond that, requests get 503, so that hashes cannot fill the memory. */
const WAITING_MAX = 50
const RETRY_SECONDS = 5
/** Passwords that a workspace may set for its links: half a minute of a core. */
export const LINK_PASSWORDS_PER_HOUR = 1_000
const HOUR_MS = 60 * 60_000

type Wake = () => void

/**
 * Each Argon2 hash takes 19 MiB and 30 ms of a core, so few run at a time. Users come first. Passwords of links run one at a time,
 * while no user waits, and the workspaces take turns.
 */
export class PasswordQueue {
  readonly #users: Wake[] = []
  readonly #links = new Map<number, Wake[]>()
  readonly #linksPerHour: WindowLimit
  #running = 0
  #isLinkRunning = false
  #dummy: Promise<string> | undefined

  constructor(clock: Clock = systemClock) {
    this.#linksPerHour = new WindowLimit(clock, { windowMs: HOUR_MS, max: LINK_PASSWORDS_PER_HOUR })
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password))
  }

  /** Throws without hashing any if they are too many for this hour, and stops once the signal is aborted. */
  async hashOfLinks(
    workspaceId: number,
    passwords: readonly string[],
    signal?: AbortSignal,
  ): Promise<string[]> {
    this.#countLinkPasswords(workspaceId, passwords.length)
    const hashes: string[] = []
    for (const password of passwords)
      hashes.push(
        await this.#inTurn(() => {
          if (signal?.aborted) throw new Refusal('server_busy', 'The client has gone away.')
          return hashPassword(password)
        }, workspaceId),
      )
    return hashes
  }

  /** Without a hash, does the same work, so that the time does not reveal who has an account. */
  verify(password: string, hash: string | undefined): Promise<boolean> {
    return this.#verify(password, hash)
  }

  verifyOfLink(workspaceId: number, password: string, hash: string): Promise<boolean> {
    return this.#verify(password, hash, workspaceId)
  }

  async #verify(password: string, hash: string | undefined, workspaceId?: number): Promise<boolean> {
    // No password is longer, and the time to normalize it grows with the square of its length.
    const isPossible = hash !== undefined && hash !== '' && password.length <= PASSWORD_UNITS_MAX
    const dummy = await (this.#dummy ??= hashPassword(newSecret()))
    const isRight = await this.#inTurn(
      () => isPassword(isPossible && password !== '' ? password : 'nobody’s', isPossible ? hash : dummy),
      workspaceId,
    )
    return isPossible && isRight
  }

  /** `workspaceId`: of a link; undefined for a user. */
  async #inTurn<Value>(work: () => Promise<Value>, workspaceId?: number): Promise<Value> {
    const isLink = workspaceId !== undefined
    if (this.#running < AT_ONCE_MAX && !(isLink && this.#isLinkRunning)) this.#begin(isLink)
    else await turnIn(isLink ? this.#waitingOf(workspaceId) : this.#users)
    try {
      return await work()
    } finally {
      this.#running--
      if (isLink) this.#isLinkRunning = false
      this.#wakeNext()
    }
  }

  #begin(isLink: boolean): void {
    this.#running++
    if (isLink) this.#isLinkRunning = true
  }

  /** Takes the places for those it wakes: if they took them themselves, another caller could take them in between. */
  #wakeNext(): void {
    while (this.#running < AT_ONCE_MAX) {
      const user = this.#users.shift()
      const wake = user ?? (this.#isLinkRunning ? undefined : this.#nextLink())
      if (wake === undefined) return
      this.#begin(user === undefined)
      wake()
    }
  }

  #waitingOf(workspaceId: number): Wake[] {
    const waiting = this.#links.get(workspaceId) ?? []
    this.#links.set(workspaceId, waiting)
    return waiting
  }

  #nextLink(): Wake | undefined {
    for (const [workspaceId, waiting] of this.#links) {
      this.#links.delete(workspaceId)
      const wake = waiting.shift()
      if (waiting.length > 0) this.#links.set(workspaceId, waiting)
      if (wake !== undefined) return wake
    }
    return undefined
  }

  #countLinkPasswords(workspaceId: number, count: number): void {
    const keys = [{ key: `${workspaceId}`, times: 1 }]
    for (let index = 0; index < count; index++) {
      const { isAllowed, retryAfterSeconds } = this.#linksPerHour.count(keys)
      if (isAllowed) continue
      while (index-- > 0) this.#linksPerHour.giveBack(keys)
      throw new Refusal('link_passwords_exceeded', TOO_MANY_OF_LINKS, { retryAfterSeconds })
    }
  }
}

const TOO_MANY_OF_LINKS = `A workspace may set ${LINK_PASSWORDS_PER_HOUR} passwords of links an hour, and these would be more. Try again later.`

function turnIn(waiting: Wake[]): Promise<void> {
  if (waiting.length >= WAITING_MAX) {
    throw new Refusal(
      'server_busy',
      'Too many passwords are being checked at the moment. Try again in a few seconds.',
      { retryAfterSeconds: RETRY_SECONDS },
    )
  }
  return new Promise((resolve) => waiting.push(resolve))
}
