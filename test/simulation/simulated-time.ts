import { type Clock, steadyClock } from '../../src/runtime/clock.ts'

/** The clocks of the machine. The wall clock can jump; the monotonic clock only advances. */
export class SimulatedTime {
  #wallUs: number
  #monotonicUs = 0

  constructor(startUs: number) {
    this.#wallUs = startUs
  }

  pass(us: number): void {
    this.#wallUs += us
    this.#monotonicUs += us
  }

  jump(us: number): void {
    this.#wallUs += us
  }

  clock(): Clock {
    return { nowUs: steadyClock(() => this.#wallUs), monotonicMs: () => this.#monotonicUs / 1000 }
  }
}
