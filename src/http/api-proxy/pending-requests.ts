import type { Metrics } from '../../metrics/metrics.ts'
import { BODY_BYTES_MAX } from '../api-server/read-body.ts'

export const PENDING_MAX = 5_000
export const PENDING_BYTES_MAX = 64 * 1024 * 1024
/** Of a larger request the API keeps nothing. */
const REQUEST_BYTES_KEPT = BODY_BYTES_MAX + 16 * 1024
/** A working thread never goes this long without a heartbeat. */
export const SILENT_SECONDS_MAX = 10
/** For one response of a working thread. Proxies in front of Tern give up after 30 seconds. */
export const RESPONSE_SECONDS_MAX = 120

/** Pending requests may or may not have been executed. */
const RESTARTING = 'The server is restarting.'
const NOT_RESPONDING = 'The server is not responding at the moment.'
const FULL = 'Too many requests are waiting at the moment.'
const NO_RESPONSE = 'The server did not answer in time. The request may or may not have been carried out.'

/** Answers a request with 503 and this sentence, and drops it. */
type GiveUp = (sentence: string) => void

/** A request that has been passed on completely and has no response yet. */
export type Pending = { bytes: number; sinceSecond: number; giveUp: GiveUp }

/**
 * Bounds the requests that wait for the API thread: how many, how large, and for how long. A thread without a heartbeat is
 * blocked, and everything that waits for it gets 503.
 */
export class PendingRequests {
  readonly #unanswered: Metrics['apiUnanswered']
  /** The thread measures its event loop delay ten times a second; that count is its heartbeat. */
  readonly #heartbeats: { readonly count: number }
  /** The oldest first. */
  readonly #pending = new Set<Pending>()
  #bytes = 0
  // Counted by a timer, not by a clock: while the whole process is suspended, no time passes.
  #second = 0
  #silentSeconds = 0
  #heartbeatsSeen = 0
  #hasFailed = false

  constructor({ apiUnanswered, eventLoopDelay }: Pick<Metrics, 'apiUnanswered' | 'eventLoopDelay'>) {
    this.#unanswered = apiUnanswered
    this.#heartbeats = eventLoopDelay.api
  }

  /** Since the last heartbeat of the thread. */
  get silentSeconds(): number {
    return this.#silentSeconds
  }

  get isBlocked(): boolean {
    return this.#silentSeconds >= SILENT_SECONDS_MAX && !this.#hasHeartbeat
  }

  /** Since the last second. A thread that responds again is not blocked until the next one. */
  get #hasHeartbeat(): boolean {
    return this.#heartbeats.count !== this.#heartbeatsSeen
  }

  /** Whether the thread cannot answer anything. */
  get isRefusing(): boolean {
    return this.#hasFailed || this.isBlocked
  }

  /** Gives the request up at once if the thread cannot answer it. */
  refuses(giveUp: GiveUp): boolean {
    if (this.#hasFailed) giveUp(RESTARTING)
    else if (this.isBlocked) this.#giveUp(giveUp, 'blocked', NOT_RESPONDING)
    return this.isRefusing
  }

  /** Undefined when there is no room for it; then it has been given up. */
  add(requestBytes: number, giveUp: GiveUp): Pending | undefined {
    const bytes = requestBytes > REQUEST_BYTES_KEPT ? 0 : requestBytes
    const hasRoom = this.#pending.size < PENDING_MAX && this.#bytes + bytes <= PENDING_BYTES_MAX
    if (!hasRoom) return this.#giveUp(giveUp, 'full', FULL)
    const pending = { bytes, sinceSecond: this.#second, giveUp }
    this.#pending.add(pending)
    this.#bytes += bytes
    return pending
  }

  /** Its response has begun, or its connection has ended. */
  remove(pending: Pending): void {
    if (this.#pending.delete(pending)) this.#bytes -= pending.bytes
  }

  /** Called once a second. */
  passSecond(): void {
    this.#second++
    this.#silentSeconds = this.#hasHeartbeat ? 0 : this.#silentSeconds + 1
    this.#heartbeatsSeen = this.#heartbeats.count
    for (const pending of Array.from(this.#pending)) {
      const isLate = this.#second - pending.sinceSecond >= RESPONSE_SECONDS_MAX
      if (!this.isBlocked && !isLate) continue
      this.remove(pending)
      this.#giveUp(pending.giveUp, this.isBlocked ? 'blocked' : 'slow', NO_RESPONSE)
    }
  }

  /** The thread has ended, and the process is about to. */
  fail(): void {
    this.#hasFailed = true
    for (const pending of Array.from(this.#pending)) {
      this.remove(pending)
      pending.giveUp(RESTARTING)
    }
  }

  #giveUp(giveUp: GiveUp, reason: keyof Metrics['apiUnanswered'], sentence: string): undefined {
    this.#unanswered[reason].add()
    giveUp(sentence)
  }
}
