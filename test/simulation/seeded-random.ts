/** Choices that are the same whenever the seed is. Mulberry32: 32 bits of state, and every number of them comes up. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    // Seeds are counted upwards; without this the first choices of neighbours would be alike.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.floor(seed / 2 ** 32)
  }

  /** From 0 to below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound)
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** From 0 to below the bound, small numbers as often as large ones: the first call is as good a place as the 200th. */
  evenlyBySize(bound: number): number {
    return Math.floor((bound + 1) ** this.fraction()) - 1
  }

  /** An independent row of choices, so that one more choice here does not change those there. */
  fork(): SeededRandom {
    return new SeededRandom(this.below(2 ** 32))
  }
}
