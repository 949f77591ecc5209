const NEXT_TICKET = 0
const NOW_SERVED = 1
const LOCKED_OUT = 2
const CELLS = 3
/** A thread that died in its turn never gives it back; the program is about to end then, and the others may go on. */
const WAIT_MS_MAX = 10_000

/** What the threads of one process share so that they can take turns. */
export type SharedTurns = SharedArrayBuffer

export const newSharedTurns = (): SharedTurns => new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT)

/**
 * Whose turn it is to write to the database file, among the threads of this process: first come, first served. SQLite's
 * own lock goes to whoever asks in the right moment, so a thread that writes without a pause keeps the others out for
 * seconds. It still stands behind this, and keeps other processes apart.
 */
export class WriteTurn {
  readonly #cells: Int32Array<SharedArrayBuffer>
  #lastTicket = -1

  constructor(shared: SharedTurns = newSharedTurns()) {
    this.#cells = new Int32Array(shared)
  }

  /** Resolves when it is this thread's turn; to be given back in any case. */
  async take(): Promise<void> {
    const ticket = Atomics.add(this.#cells, NEXT_TICKET, 1)
    this.#lastTicket = ticket
    for (;;) {
      const served = Atomics.load(this.#cells, NOW_SERVED)
      if (served === ticket) return
      const change = Atomics.waitAsync(this.#cells, NOW_SERVED, served, WAIT_MS_MAX)
      if (change.async && (await change.value) === 'timed-out') return
    }
  }

  give(): void {
    Atomics.add(this.#cells, NOW_SERVED, 1)
    Atomics.notify(this.#cells, NOW_SERVED)
  }

  /** Whether another thread has taken a turn, or asked for one, since this thread's last. */
  get othersTakeTurns(): boolean {
    return Atomics.load(this.#cells, NEXT_TICKET) !== ((this.#lastTicket + 1) | 0)
  }

  /** Whether another process has kept the file locked for longer than anybody waits, when one of the threads last asked. */
  get isLockedOut(): boolean {
    return Atomics.load(this.#cells, LOCKED_OUT) === 1
  }

  set isLockedOut(value: boolean) {
    Atomics.store(this.#cells, LOCKED_OUT, value ? 1 : 0)
  }
}
