/**
 * A bounded map that keeps at least the more recently used half of its entries. It has two generations: when the young one
 * is full, it replaces the old one, and entries that were not used since are dropped.
 */
export class RecentMap<Value> {
  readonly #generationMax: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(entriesMax: number) {
    this.#generationMax = Math.floor(entriesMax / 2)
  }

  /** An entry in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: Value): void {
    this.#young.set(key, value)
    if (this.#young.size < this.#generationMax) return
    this.#old = this.#young
    this.#young = new Map()
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
