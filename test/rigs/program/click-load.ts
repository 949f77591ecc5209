import type { Socket } from 'node:net'
import { KeepAliveClient } from '../http/keep-alive-client.ts'

/** What visitors received, by code and in total. */
export type LoadTally = {
  /** Requests that were sent. */
  sent: Map<string, number>
  /** Redirects that were received completely. */
  acknowledged: Map<string, number>
  /** Requests whose connection ended before their response did. */
  unanswered: Map<string, number>
  /** Every other response, by status. */
  statuses: Map<number, number>
  /** Connections that ended between request and response; `within` a response, after its first byte. */
  cut: { before: number; within: number }
  refused: number
}

type LoadSettings = {
  port: number
  clients: number
  codes: readonly string[]
  /** A number from 0 to 1, as Math.random gives them. */
  random(): number
  /** Stops after this many requests; without it, when stopped. */
  requestsMax?: number
  /** How to connect, if not with plain TCP. */
  connect?(port: number): Socket
}

/** While the server is down. */
const RECONNECT_MS = 5
/** Between two links that a visitor opens: without it, the load takes both cores from the program that it tests. */
const PAUSE_MS = 3

/** Visitors who open links one after the other, each over their own connection. */
export class ClickLoad {
  readonly tally: LoadTally = {
    sent: new Map(),
    acknowledged: new Map(),
    unanswered: new Map(),
    statuses: new Map(),
    cut: { before: 0, within: 0 },
    refused: 0,
  }
  readonly #settings: LoadSettings
  readonly #running: Promise<unknown>
  #isStopping = false
  #requests = 0

  constructor(settings: LoadSettings) {
    this.#settings = settings
    this.#running = Promise.all(Array.from({ length: settings.clients }, () => this.#visit()))
  }

  get codes(): readonly string[] {
    return this.#settings.codes
  }

  /** Resolves when every visitor has a response or knows that there will be none. */
  async stop(): Promise<LoadTally> {
    this.#isStopping = true
    return this.finished
  }

  /** Resolves after `requestsMax` requests. */
  get finished(): Promise<LoadTally> {
    return this.#running.then(() => this.tally)
  }

  async #visit(): Promise<void> {
    const { port, codes, random, requestsMax = Infinity, connect } = this.#settings
    const client = new KeepAliveClient(port, connect)
    while (!this.#isStopping && this.#requests < requestsMax) {
      this.#requests++
      await this.#open(client, codes[Math.floor(random() * codes.length)]!)
      await Bun.sleep(PAUSE_MS)
    }
    client.close()
  }

  async #open(client: KeepAliveClient, code: string): Promise<void> {
    const { tally } = this
    const answer = await client.request({ method: 'GET', path: `/${code}` })
    if (answer === 'refused') {
      tally.refused++
      return Bun.sleep(RECONNECT_MS)
    }
    add(tally.sent, code)
    if (typeof answer === 'string') add(tally.unanswered, code)
    if (answer === 'cut before') tally.cut.before++
    else if (answer === 'cut within') tally.cut.within++
    else if (answer.status === 302) add(tally.acknowledged, code)
    else add(tally.statuses, answer.status)
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export const sumOf = (counts: Map<unknown, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0)

/** Seeded numbers from 0 to 1 (mulberry32), so that a run can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
