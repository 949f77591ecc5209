import type { Clock } from '../../runtime/clock.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import type { LinkKey } from '../link-key.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { withReason } from '../../store/store-outage.ts'
import type { ChangeMark, PostgresReader } from '../../store/postgres/postgres-reader.ts'

/** Notifications can get lost without an error. */
const POLL_EVERY_MS = 400
/** The database keeps changes for twice as long. */
const SILENCE_MS_MAX = 30 * 60_000

type WatchDeps = {
  reader: Pick<PostgresReader, 'changesSince' | 'onNotify'>
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
}

/** Gets the changes made by other nodes. */
type NodeChangeListener = {
  onLinks(keys: readonly LinkKey[]): void
  /** The redirect state has changed. */
  onState(): Promise<void>
  /** Anything may have changed: after a failover, or after a long time without an answer. */
  onAll(): Promise<void>
}

/**
 * Reports what other nodes have changed: at once when the database notifies, and otherwise at the next poll. If it is
 * started before anything is cached, no change is missed. After an outage of the database it catches up.
 */
export class ChangeWatch {
  readonly #deps: WatchDeps
  readonly #listener: NodeChangeListener
  readonly #timer: Timer
  #mark: ChangeMark | undefined
  #answeredMs: number
  #polling: Promise<void> | undefined
  #isDue = false
  #isStateDue = false
  #isUnavailable = false
  #unavailableSinceMs = 0
  #failures = 0
  #isStopped = false

  constructor(deps: WatchDeps, listener: NodeChangeListener) {
    this.#deps = deps
    this.#listener = listener
    this.#answeredMs = deps.clock.monotonicMs()
    this.#timer = setInterval(() => this.#pollSoon(), POLL_EVERY_MS)
    deps.reader.onNotify(() => this.#pollSoon())
    this.#pollSoon()
  }

  /** The last poll failed. */
  get isUnavailable(): boolean {
    return this.#isUnavailable
  }

  /** Reads the redirect state once more, whatever has changed. */
  readStateAgain(): void {
    this.#isStateDue = true
    this.#pollSoon()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#isDue = false
    await this.#polling
  }

  #pollSoon(): void {
    // The reader calls for as long as it is open.
    if (this.#isStopped) return
    this.#isDue = true
    this.#polling ??= this.#pollAll()
  }

  async #pollAll(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      try {
        await this.#poll()
        this.#noteAnswer()
      } catch (error) {
        this.#noteFailure(error)
      }
    }
    // No await between the last check and this line, so that a later notification starts a new poll.
    this.#polling = undefined
  }

  #noteAnswer(): void {
    if (!this.#isUnavailable) return
    this.#isUnavailable = false
    const seconds = Math.round((this.#deps.clock.monotonicMs() - this.#unavailableSinceMs) / 100) / 10
    this.#deps.log.warn('The database is reachable again.', { seconds, failures: this.#failures })
  }

  #noteFailure(error: unknown): void {
    this.#failures++
    if (this.#isUnavailable) return
    this.#isUnavailable = true
    this.#failures = 1
    this.#unavailableSinceMs = this.#deps.clock.monotonicMs()
    const why = isStoreUnavailable(error) ? withReason(error) : describeError(error)
    this.#deps.log.error('The database does not respond.', why)
  }

  async #poll(): Promise<void> {
    const before = this.#mark
    const { keys, hasState, mark } = await this.#deps.reader.changesSince(before)
    const nowMs = this.#deps.clock.monotonicMs()
    const isUncertain =
      before === undefined || before.timeline !== mark.timeline || nowMs - this.#answeredMs > SILENCE_MS_MAX
    if (isUncertain) await this.#listener.onAll()
    else {
      if (keys.length > 0) this.#listener.onLinks(keys)
      if (hasState || this.#isStateDue) await this.#readState()
    }
    // Only now: if the listener failed, the same changes are read again.
    this.#mark = mark
    this.#answeredMs = nowMs
  }

  async #readState(): Promise<void> {
    this.#isStateDue = false
    try {
      await this.#listener.onState()
    } catch (error) {
      this.#isStateDue = true
      throw error
    }
  }
}
