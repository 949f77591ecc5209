/**
 * Numbers that the threads of a process share: each is written by one thread and read by any, without a lock and without
 * an allocation. Not atomic, and needs not be: an aligned 64-bit number is written and read in one piece.
 */
export type SharedCells = Float64Array<SharedArrayBuffer>

/** Only goes up, from 0 at the start of the program. */
export class Counter {
  readonly #cells: SharedCells
  readonly #at: number

  constructor(cells: SharedCells, at: number) {
    this.#cells = cells
    this.#at = at
  }

  add(amount = 1): void {
    this.#cells[this.#at]! += amount
  }

  get value(): number {
    return this.#cells[this.#at]!
  }
}

/** What is so at the moment. */
export class Gauge {
  readonly #cells: SharedCells
  readonly #at: number

  constructor(cells: SharedCells, at: number) {
    this.#cells = cells
    this.#at = at
  }

  set(value: number): void {
    this.#cells[this.#at] = value
  }

  get value(): number {
    return this.#cells[this.#at]!
  }
}

/** How many observations fell between which bounds, and their sum. A value on a bound belongs below it. */
export class Histogram {
  readonly bounds: readonly number[]
  readonly #cells: SharedCells
  readonly #at: number

  constructor(cells: SharedCells, at: number, bounds: readonly number[]) {
    this.#cells = cells
    this.#at = at
    this.bounds = bounds
  }

  static cellCount(bounds: readonly number[]): number {
    return bounds.length + 2
  }

  observe(value: number): void {
    let bucket = 0
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket++
    this.#cells[this.#at + bucket]! += 1
    this.#cells[this.#at + this.bounds.length + 1]! += value
  }

  /** Of each bucket by itself; the last one is of what was above every bound. */
  get counts(): number[] {
    return Array.from(this.#cells.subarray(this.#at, this.#at + this.bounds.length + 1))
  }

  /** How many observations there were. */
  get count(): number {
    return this.counts.reduce((total, count) => total + count, 0)
  }

  get sum(): number {
    return this.#cells[this.#at + this.bounds.length + 1]!
  }
}
