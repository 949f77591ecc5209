/** Random choices that depend on the seed only (Mulberry32, 32 bits of state). */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    // Without this, the first choices of consecutive seeds would be similar.
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

  /** From 0 to below the bound, with every magnitude equally likely, so early calls get faults as often as late ones. */
  evenlyBySize(bound: number): number {
    return Math.floor((bound + 1) ** this.fraction()) - 1
  }

  /** An independent sequence, so that one more choice here does not change those elsewhere. */
  fork(): SeededRandom {
    return new SeededRandom(this.below(2 ** 32))
  }
}
