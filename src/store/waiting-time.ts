import { AsyncLocalStorage } from 'node:async_hooks'

/** A caller that has waited this long for free connections is refused. */
const WAITING_MS_MAX = 4_000

/** How long somebody has waited for free connections, over all statements of one request. */
export class WaitingTime {
  #waiting = 0
  #sinceMs = 0
  #spentMs = 0

  begin(nowMs: number): void {
    if (this.#waiting++ === 0) this.#sinceMs = nowMs
  }

  /** Statements that wait together wait once. */
  end(nowMs: number): void {
    if (--this.#waiting === 0) this.#spentMs += nowMs - this.#sinceMs
  }

  isOver(nowMs: number): boolean {
    const current = this.#waiting === 0 ? 0 : nowMs - this.#sinceMs
    return this.#spentMs + current > WAITING_MS_MAX
  }
}

const ofRequest = new AsyncLocalStorage<WaitingTime>()

/**
 * Runs one request: all its statements share the time for waiting. Each alone may wait as long as any, and a request with several
 * would be answered only after the sum.
 */
export const withSharedWaitingTime = <Result>(work: () => Result): Result =>
  ofRequest.run(new WaitingTime(), work)

/** That of the request; outside of one, a new one. */
export const waitingTime = (): WaitingTime => ofRequest.getStore() ?? new WaitingTime()
