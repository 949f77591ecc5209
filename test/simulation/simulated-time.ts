import { type Clock, steadyClock } from '../../src/clock.ts'

/** The machine's time. The wall clock jumps when it is told to; the other one only ever goes on. */
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

  /** What a process sees. */
  clock(): Clock {
    return { nowUs: steadyClock(() => this.#wallUs), monotonicMs: () => this.#monotonicUs / 1000 }
  }
}
