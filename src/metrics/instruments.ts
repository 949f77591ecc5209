/**
 * Numbers in memory that the threads share. Each is written by one thread and read by any, without locks or allocations:
 * an aligned 64-bit number is always written and read as a whole.
 */
export type SharedCells = Float64Array<SharedArrayBuffer>

/** Only increases, from 0 at the start of the program. */
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

/** A current value. */
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

/** Counts observations by bucket, and adds them up. A value equal to a bound is in the bucket below it. */
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

  /** Not cumulative. The last bucket is above every bound. */
  get counts(): number[] {
    return Array.from(this.#cells.subarray(this.#at, this.#at + this.bounds.length + 1))
  }

  get count(): number {
    return this.counts.reduce((total, count) => total + count, 0)
  }

  get sum(): number {
    return this.#cells[this.#at + this.bounds.length + 1]!
  }
}
