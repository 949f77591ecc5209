import { atShare } from './measure.ts'

const PER_SECOND = 200
const TICK_MS = 5

export type Latency = { p50Ms: number; p99Ms: number; redirects: number }

/** Opens short URLs at a steady rate, as visitors do. A slow answer delays no other request, and counts from when it was due. */
export class RedirectProbe {
  readonly #urls: readonly string[]
  readonly #startedMs = performance.now()
  readonly #answers: Promise<number>[] = []
  readonly #timer: Timer

  constructor(urls: readonly string[]) {
    this.#urls = urls
    this.#timer = setInterval(() => this.#openDue(), TICK_MS)
  }

  /** Once all are answered. */
  async stop(): Promise<Latency> {
    clearInterval(this.#timer)
    const latenciesMs = (await Promise.all(this.#answers)).sort((a, b) => a - b)
    return {
      p50Ms: atShare(latenciesMs, 0.5),
      p99Ms: atShare(latenciesMs, 0.99),
      redirects: latenciesMs.length,
    }
  }

  #openDue(): void {
    const passedMs = performance.now() - this.#startedMs
    while (this.#answers.length < (passedMs * PER_SECOND) / 1000) this.#answers.push(this.#open())
  }

  async #open(): Promise<number> {
    const at = this.#answers.length
    const dueMs = this.#startedMs + (at * 1000) / PER_SECOND
    const { status } = await fetch(this.#urls[at % this.#urls.length]!, { redirect: 'manual' })
    if (status !== 302) throw new Error(`A redirect was answered with ${status}.`)
    return performance.now() - dueMs
  }
}
