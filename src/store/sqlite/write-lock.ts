const NEXT_TICKET = 0
const NOW_SERVED = 1
const LOCKED_OUT = 2
const CELLS = 3
/** A thread that ended while holding the lock never releases it. The program is about to end then; the others continue. */
const WAIT_MS_MAX = 10_000

export type SharedWriteLock = SharedArrayBuffer

export const newSharedWriteLock = (): SharedWriteLock =>
  new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT)

/**
 * A fair lock among the threads of this process for writing to the database file. SQLite's own lock goes to the thread
 * that happens to ask at the right moment, so one that writes without a pause would keep the others out for seconds. It
 * still applies, and excludes other processes.
 */
export class WriteLock {
  readonly #cells: Int32Array<SharedArrayBuffer>
  #lastTicket = -1

  constructor(shared: SharedWriteLock = newSharedWriteLock()) {
    this.#cells = new Int32Array(shared)
  }

  async acquire(): Promise<void> {
    const ticket = Atomics.add(this.#cells, NEXT_TICKET, 1)
    this.#lastTicket = ticket
    for (;;) {
      const current = Atomics.load(this.#cells, NOW_SERVED)
      if (current === ticket) return
      const change = Atomics.waitAsync(this.#cells, NOW_SERVED, current, WAIT_MS_MAX)
      if (change.async && (await change.value) === 'timed-out') return
    }
  }

  release(): void {
    Atomics.add(this.#cells, NOW_SERVED, 1)
    Atomics.notify(this.#cells, NOW_SERVED)
  }

  /** Whether another thread has held or requested the lock since this thread last requested it. */
  get othersWaited(): boolean {
    return Atomics.load(this.#cells, NEXT_TICKET) !== ((this.#lastTicket + 1) | 0)
  }

  /** Whether, at the last attempt of any thread, another process had locked the file for longer than a write waits. */
  get isLockedOut(): boolean {
    return Atomics.load(this.#cells, LOCKED_OUT) === 1
  }

  set isLockedOut(value: boolean) {
    Atomics.store(this.#cells, LOCKED_OUT, value ? 1 : 0)
  }
}
