import type { Clock } from '../clock.ts'
import { describeError, type Log } from '../log.ts'
import type { ChangeMark, PostgresReader } from '../store/postgres-reader.ts'

/** Notifications may be lost, and nobody is told so. */
const ASK_EVERY_MS = 400
/** The database keeps changes for twice as long. */
const MISSED_MS_MAX = 30 * 60_000

export type WatchDeps = {
  reader: Pick<PostgresReader, 'changesSince' | 'onNews'>
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
}

/** What others have changed. */
export type ChangeHearer = {
  onLinks(codes: readonly string[]): void
  /** What is blocked has changed. */
  onBlocks(): Promise<void>
  /** Nobody can say what has changed: another server has taken over, or there was no word for too long. */
  onAll(): Promise<void>
}

/**
 * Tells what other nodes have changed, within a second: at once by notification, and in any case by asking. Begun before
 * anything is kept in memory, it misses nothing; while the database is away it waits, and catches up.
 */
export class ChangeWatch {
  readonly #deps: WatchDeps
  readonly #hearer: ChangeHearer
  readonly #timer: Timer
  #mark: ChangeMark | undefined
  #heardMs: number
  #asking: Promise<void> | undefined
  #hasNews = false
  #isAway = false
  #isStopped = false

  constructor(deps: WatchDeps, hearer: ChangeHearer) {
    this.#deps = deps
    this.#hearer = hearer
    this.#heardMs = deps.clock.monotonicMs()
    this.#timer = setInterval(() => this.#askSoon(), ASK_EVERY_MS)
    deps.reader.onNews(() => this.#askSoon())
    this.#askSoon()
  }

  /** The database did not answer the last time. */
  get isAway(): boolean {
    return this.#isAway
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#hasNews = false
    await this.#asking
  }

  #askSoon(): void {
    // The reader goes on calling for as long as it is open.
    if (this.#isStopped) return
    this.#hasNews = true
    this.#asking ??= this.#askAll()
  }

  async #askAll(): Promise<void> {
    while (this.#hasNews) {
      this.#hasNews = false
      try {
        await this.#ask()
        if (this.#isAway) this.#deps.log.info('The database is reachable again.')
        this.#isAway = false
      } catch (error) {
        if (!this.#isAway) this.#deps.log.error('The database does not respond.', describeError(error))
        this.#isAway = true
      }
    }
    // In one step with the last look at the news, so that whatever comes later is asked for.
    this.#asking = undefined
  }

  async #ask(): Promise<void> {
    const before = this.#mark
    const { codes, hasBlocks, mark } = await this.#deps.reader.changesSince(before)
    const nowMs = this.#deps.clock.monotonicMs()
    const isUncertain =
      before === undefined || before.timeline !== mark.timeline || nowMs - this.#heardMs > MISSED_MS_MAX
    if (isUncertain) await this.#hearer.onAll()
    else {
      if (codes.length > 0) this.#hearer.onLinks(codes)
      if (hasBlocks) await this.#hearer.onBlocks()
    }
    // Only now: what was not heard to its end is asked for again.
    this.#mark = mark
    this.#heardMs = nowMs
  }
}
