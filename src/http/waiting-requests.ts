import type { Metrics } from '../metrics.ts'
import { plainAnswer } from './plain-answer.ts'

/** With heads of at most 16 KB each. */
export const WAITING_MAX = 5_000
export const WAITING_BYTES_MAX = 64 * 1024 * 1024
/** A thread that works is never busy for so long without coming to its timer; one that does not is blocked. */
export const SILENT_SECONDS_MAX = 10
/** For one answer of a thread that works. The proxies in front of Tern wait 30 seconds, so this ends only what nobody waits for. */
export const ANSWER_SECONDS_MAX = 120
const RETRY_SECONDS = 5

type Waiting = {
  resolve(response: Response): void
  bodyBytes: number
  sinceSecond: number
  isGivenUp: boolean
}

/**
 * The requests that another thread has to answer, of which only so many may wait, with only so much in their bodies, for
 * only so long. One that was given up keeps its place until the thread has done with it: its body is in the thread's
 * memory until then.
 */
export class WaitingRequests {
  readonly #unanswered: Metrics['apiUnanswered']
  /** By id, the oldest first. */
  readonly #waiting = new Map<number, Waiting>()
  #bodyBytes = 0
  // Counted in turns of a timer, not by a clock: while the whole process is stopped, no time passes.
  #second = 0
  #silentSeconds = 0

  constructor({ apiUnanswered }: Pick<Metrics, 'apiUnanswered'>) {
    this.#unanswered = apiUnanswered
  }

  /** Since the thread has last shown a sign of life. */
  get silentSeconds(): number {
    return this.#silentSeconds
  }

  get isBlocked(): boolean {
    return this.#silentSeconds >= SILENT_SECONDS_MAX
  }

  /** The refusal of one request more with such a body; undefined when there is room for it. */
  refusalOf(bodyBytes: number): Response | undefined {
    if (this.isBlocked) return this.#refuse('blocked', 'The server is not responding at the moment.')
    const isFull = this.#waiting.size >= WAITING_MAX || this.#bodyBytes + bodyBytes > WAITING_BYTES_MAX
    return isFull ? this.#refuse('full', 'Too many requests are waiting at the moment.') : undefined
  }

  add(id: number, bodyBytes: number): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.#waiting.set(id, { resolve, bodyBytes, sinceSecond: this.#second, isGivenUp: false })
    this.#bodyBytes += bodyBytes
    return promise
  }

  /** False when nobody waits for it any more. */
  answer(id: number, response: () => Response): boolean {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return false
    this.#waiting.delete(id)
    this.#bodyBytes -= waiting.bodyBytes
    if (!waiting.isGivenUp) waiting.resolve(response())
    return !waiting.isGivenUp
  }

  /** Once a second, with whether the thread has shown a sign of life since. */
  passSecond(isAlive: boolean): void {
    this.#second++
    this.#silentSeconds = isAlive ? 0 : this.#silentSeconds + 1
    for (const waiting of this.#waiting.values()) {
      const isLate = this.#second - waiting.sinceSecond >= ANSWER_SECONDS_MAX
      if (!waiting.isGivenUp && (this.isBlocked || isLate)) this.#giveUp(waiting)
    }
  }

  /** Nobody will answer any more. */
  answerAll(response: () => Response): void {
    for (const id of [...this.#waiting.keys()]) this.answer(id, response)
  }

  #giveUp(waiting: Waiting): void {
    waiting.isGivenUp = true
    const sentence = 'The server did not answer in time. The request may or may not have been carried out.'
    waiting.resolve(this.#refuse(this.isBlocked ? 'blocked' : 'slow', sentence))
  }

  #refuse(reason: keyof Metrics['apiUnanswered'], sentence: string): Response {
    this.#unanswered[reason].add()
    return plainAnswer(503, `${sentence} Try again in a few seconds.`, {
      'Retry-After': String(RETRY_SECONDS),
    })
  }
}
