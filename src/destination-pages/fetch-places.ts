import { Refusal } from '../errors/refusal.ts'

export type PlaceLimits = {
  /** At once, of all workspaces and of one. */
  running: number
  runningOfOne: number
  /** Beyond those that run. */
  waiting: number
  waitingOfOne: number
}

type Waiting = { workspaceId: number; start(): void; refuse(error: Refusal): void }

const RETRY_SECONDS = 5

/** Runs work at a bounded width. Workspaces take turns, so none holds up another, and none keeps another out of the queue. */
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
    if (own >= waitingOfOne) throw tooMany()
    if (this.#waiting.length >= waiting) this.#makeRoom(own)
    return new Promise((start, refuse) => this.#waiting.push({ workspaceId, start, refuse }))
  }

  /** The last of the workspace that has the most waiting makes room for one that has less. */
  #makeRoom(own: number): void {
    const counts = new Map<number, number>()
    for (const { workspaceId } of this.#waiting) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
    const [crowding, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))
    if (count <= own + 1) throw tooMany()
    const last = this.#waiting.findLast((one) => one.workspaceId === crowding)!
    this.#waiting = this.#waiting.filter((one) => one !== last)
    last.refuse(tooMany())
  }

  #leave(workspaceId: number): void {
    this.#running.splice(this.#running.indexOf(workspaceId), 1)
    const next = this.#next()
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#running.push(next.workspaceId)
    next.start()
  }

  /** The first of those whose workspace has the least running. */
  #next(): Waiting | undefined {
    const free = this.#waiting.filter((one) => this.#isFree(one.workspaceId))
    const least = Math.min(...new Set(free.map((one) => this.#runningOf(one.workspaceId))))
    return free.find((one) => this.#runningOf(one.workspaceId) === least)
  }

  #isFree(workspaceId: number): boolean {
    const { running, runningOfOne } = this.#limits
    return this.#running.length < running && this.#runningOf(workspaceId) < runningOfOne
  }

  #runningOf = (workspaceId: number): number => this.#running.filter((one) => one === workspaceId).length
}

const tooMany = () =>
  new Refusal('too_many_requests', 'Too many pages are being looked at. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
