import { Refusal } from '../errors/refusal.ts'

export type PlaceLimits = {
  /** At once, of all workspaces and of one. */
  running: number
  runningOfOne: number
  /** Beyond those that run. */
  waiting: number
  waitingOfOne: number
  /** Undefined: as long as it takes. */
  waitingMsMax?: number
}

type Waiting = { workspaceId: number; start(): void; refuse(error: Refusal): void }

const RETRY = { retryAfterSeconds: 5 }
const TOO_LONG = 'The server is busy. Try again in a few seconds.'

/** Runs work at a bounded width. Workspaces take turns, so none holds up another, and none keeps another out of the queue. */
export class WorkspacePlaces {
  readonly #limits: PlaceLimits
  readonly #message: string
  readonly #running: number[] = []
  #waiting: Waiting[] = []
  /** Of the workspaces that have something running or waiting. */
  readonly #lastTurns = new Map<number, number>()
  #turns = 0

  /** `message`: why more is refused, a sentence. */
  constructor(limits: PlaceLimits, message: string) {
    this.#limits = limits
    this.#message = message
  }

  /** Refuses at once if too much is waiting. */
  async run<Value>(workspaceId: number, work: () => Promise<Value>): Promise<Value> {
    if (this.#isFree(workspaceId)) this.#enter(workspaceId)
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
    if (own >= waitingOfOne) throw this.#tooMany()
    if (this.#waiting.length >= waiting) this.#makeRoom(own)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one = { workspaceId, start: resolve, refuse: reject }
    this.#waiting.push(one)
    return this.#limits.waitingMsMax === undefined ? promise : this.#inTime(promise, one)
  }

  async #inTime(started: Promise<void>, one: Waiting): Promise<void> {
    const refuse = () => this.#refuse(one, new Refusal('server_busy', TOO_LONG, RETRY))
    const timer = setTimeout(refuse, this.#limits.waitingMsMax)
    await started.finally(() => clearTimeout(timer))
  }

  #refuse(one: Waiting, error: Refusal): void {
    this.#waiting = this.#waiting.filter((each) => each !== one)
    this.#forget(one.workspaceId)
    one.refuse(error)
  }

  #forget(workspaceId: number): void {
    const isHere =
      this.#runningOf(workspaceId) > 0 || this.#waiting.some((one) => one.workspaceId === workspaceId)
    if (!isHere) this.#lastTurns.delete(workspaceId)
  }

  /** The last of the workspace that has the most waiting makes room for one that has less. */
  #makeRoom(own: number): void {
    const counts = new Map<number, number>()
    for (const { workspaceId } of this.#waiting) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
    const [crowding, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))
    if (count <= own + 1) throw this.#tooMany()
    this.#refuse(
      this.#waiting.findLast((one) => one.workspaceId === crowding)!,
      this.#tooMany(),
    )
  }

  #leave(workspaceId: number): void {
    this.#running.splice(this.#running.indexOf(workspaceId), 1)
    this.#forget(workspaceId)
    const next = this.#next()
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#enter(next.workspaceId)
    next.start()
  }

  #enter(workspaceId: number): void {
    this.#running.push(workspaceId)
    this.#lastTurns.set(workspaceId, ++this.#turns)
  }

  /** Of the workspaces that have the least running, the one whose last turn is the longest ago. Its requests in order. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined
    for (const one of this.#waiting)
      if (this.#isFree(one.workspaceId) && (next === undefined || this.#isBefore(one, next))) next = one
    return next
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    const running = this.#runningOf(one.workspaceId) - this.#runningOf(other.workspaceId)
    const lastTurn = ({ workspaceId }: Waiting) => this.#lastTurns.get(workspaceId) ?? 0
    return running < 0 || (running === 0 && lastTurn(one) < lastTurn(other))
  }

  #isFree(workspaceId: number): boolean {
    const { running, runningOfOne } = this.#limits
    return this.#running.length < running && this.#runningOf(workspaceId) < runningOfOne
  }

  #runningOf = (workspaceId: number): number => this.#running.filter((one) => one === workspaceId).length

  #tooMany = () => new Refusal('too_many_requests', `${this.#message} Try again in a few seconds.`, RETRY)
}
