import type { Socket } from 'node:net'
import { KeepAliveClient } from './keep-alive-client.ts'

/** What visitors have seen, by code and in all. */
export type LoadTally = {
  /** Requests that were put on the wire. */
  sent: Map<string, number>
  /** Redirects that came back whole. */
  acknowledged: Map<string, number>
  /** Every other answer, by status. */
  statuses: Map<number, number>
  /** Connections that ended between request and answer; `within` an answer, after its first byte. */
  cut: { before: number; within: number }
  refused: number
}

type LoadSettings = {
  port: number
  clients: number
  codes: readonly string[]
  /** A number from 0 to 1, as Math.random gives them. */
  random(): number
  /** No more requests than this; without it, until it is stopped. */
  requestsMax?: number
  /** How a connection is made, where it is not a plain one. */
  connect?(port: number): Socket
}

/** While the server is away. */
const RECONNECT_MS = 5

/** Visitors who open links one after the other, each over a connection of their own, as fast as they are answered. */
export class ClickLoad {
  readonly tally: LoadTally = {
    sent: new Map(),
    acknowledged: new Map(),
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

  /** Resolves when every visitor has been answered, or has seen that there will be no answer. */
  async stop(): Promise<LoadTally> {
    this.#isStopping = true
    return this.finished
  }

  /** Resolves when `requestsMax` requests have been made. */
  get finished(): Promise<LoadTally> {
    return this.#running.then(() => this.tally)
  }

  async #visit(): Promise<void> {
    const { port, codes, random, requestsMax = Infinity, connect } = this.#settings
    const client = new KeepAliveClient(port, connect)
    while (!this.#isStopping && this.#requests < requestsMax) {
      this.#requests++
      await this.#open(client, codes[Math.floor(random() * codes.length)]!)
    }
    client.close()
  }

  async #open(client: KeepAliveClient, code: string): Promise<void> {
    const { tally } = this
    const answer = await client.ask({ method: 'GET', path: `/${code}` })
    if (answer === 'refused') {
      tally.refused++
      return Bun.sleep(RECONNECT_MS)
    }
    add(tally.sent, code)
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

/** Numbers from 0 to 1 that a seed decides (mulberry32): a run can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
