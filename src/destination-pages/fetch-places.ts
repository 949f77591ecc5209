import { Refusal } from '../errors/refusal.ts'

export type PlaceLimits = {
  /** At once, of all workspaces and of one. */
  running: number
  runningOfOne: number
  /** Beyond those that run. */
  waiting: number
  waitingOfOne: number
}

type Waiting = { workspaceId: number; start(): void }

const RETRY_SECONDS = 5

/** Runs work at a bounded width, first come first served, but no workspace holds up another. */
export class FetchPlaces {
  readonly #limits: PlaceLimits
  readonly #running: number[] = []
  #waiting: Waiting[] = []

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Refuses at once if too much is waiting. */
  async run<Value>(workspaceId: number, work: () => Promise<Value>): Promise<Value> {
    if (this.#isFree(workspaceId)) this.#running.push(workspaceId)
    else await this.#wait(workspaceId)
    try {
      return await work()
    } finally {
      this.#leave(workspaceId)
    }
  }

  #wait(workspaceId: number): Promise<void> {
    const { waiting, waitingOfOne } = this.#limits
    const own = this.#waiting.filter((one) => one.workspaceId === workspaceId).length
    if (this.#waiting.length >= waiting || own >= waitingOfOne) {
      throw new Refusal('too-many', 'Too many pages are being looked at. Try again in a few seconds.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
    return new Promise((start) => this.#waiting.push({ workspaceId, start }))
  }

  #leave(workspaceId: number): void {
    this.#running.splice(this.#running.indexOf(workspaceId), 1)
    const next = this.#waiting.find((one) => this.#isFree(one.workspaceId))
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#running.push(next.workspaceId)
    next.start()
  }

  #isFree(workspaceId: number): boolean {
    const own = this.#running.filter((one) => one === workspaceId).length
    return this.#running.length < this.#limits.running && own < this.#limits.runningOfOne
  }
}
