import type { SeededRandom } from './seeded-random.ts'

/** What a program asks of its disk and its store, and what can therefore go wrong. */
export const OPERATIONS = [
  ...['makeFolder', 'list', 'createNew', 'sizeOf', 'read', 'write', 'truncate', 'datasync'],
  ...['replace', 'copy', 'rename', 'unlink', 'syncFolder', 'syncFile', 'begin', 'statement', 'commit'],
] as const
export type Operation = (typeof OPERATIONS)[number]

/**
 * 'fail': does nothing and says so. 'fail after doing it': the work is done, the answer is an error all the same.
 * 'short': writes a part and says so. 'none': writes nothing and says so. 'roll back': the store drops the whole
 * transaction. 'die before', 'die after': the process ends there, and nobody hears of it.
 */
export type Fault =
  'fail' | 'fail after doing it' | 'short' | 'none' | 'roll back' | 'die before' | 'die after'

/** From the (skip + 1)-th call of the operation on, `times` calls have the fault. Without an operation: of any. */
export type PlannedFault = { fault: Fault; operation: Operation | undefined; skip: number; times: number }

export type ProcessWatcher = { onCall(operation: Operation, about: string, fault: Fault | undefined): void }

/** What a synchronous call throws once its process is gone; nothing may be concluded from it. */
export class ProcessGone extends Error {
  override name = 'ProcessGone'
}

const TURNS_MAX = 2

/**
 * A process of the machine. All its calls to disk and store go through it: they take a while, have the faults that
 * were planned, and end with it. A call under way when it dies is carried out or not, and is answered no more.
 */
export class SimulatedProcess {
  isGone = false
  /** Resolves when the process is gone, whatever the reason. */
  readonly gone: Promise<void>
  readonly #calls: Operation[] = []
  readonly #random: SeededRandom
  readonly #faults: PlannedFault[]
  readonly #watcher: ProcessWatcher
  /** None of them throws: what it throws is part of its answer. */
  readonly #underWay = new Set<() => void>()
  readonly #atEnd: (() => void)[] = []
  readonly #resolveGone: () => void

  constructor(random: SeededRandom, faults: readonly PlannedFault[], watcher: ProcessWatcher) {
    this.#random = random
    this.#faults = faults.map((fault) => ({ ...fault }))
    this.#watcher = watcher
    const { promise, resolve } = Promise.withResolvers<void>()
    this.gone = promise
    this.#resolveGone = resolve
  }

  /** How often it has called the operation; without one: any. */
  countOf(operation?: Operation): number {
    return operation === undefined
      ? this.#calls.length
      : this.#calls.filter((call) => call === operation).length
  }

  /** For what the operating system does when a process has ended: locks and transactions are dropped. */
  atEnd(act: () => void): void {
    this.#atEnd.push(act)
  }

  end(): void {
    if (this.isGone) return
    this.isGone = true
    for (const work of this.#underWay) if (this.#random.chance(0.5)) work()
    this.#underWay.clear()
    for (const act of this.#atEnd) act()
    this.#resolveGone()
  }

  /** A call that takes its time. `act` does the work, or the part of it that the fault leaves. */
  async call<T>(operation: Operation, about: string, act: (fault?: Fault) => T): Promise<T> {
    if (this.isGone) return never()
    const fault = this.#nextFault(operation, about)
    if (fault === 'die before') this.end()
    let answer = (): T => {
      throw new ProcessGone()
    }
    const work = () => void (answer = answerOf(() => act(fault)))
    this.#underWay.add(work)
    await this.pause()
    this.#underWay.delete(work)
    if (this.isGone) return never()
    if (fault === 'fail' || fault === 'roll back') throw diskFault(operation)
    work()
    if (fault === 'die after') this.end()
    await this.pause()
    if (this.isGone) return never()
    if (fault === 'fail after doing it') throw diskFault(operation)
    return answer()
  }

  /** A call that holds up its thread, as those to the store do. `undo` is what a store does that rolls back by itself. */
  callNow<T>(operation: Operation, about: string, { act, undo }: { act(): T; undo(): void }): T {
    if (this.isGone) throw new ProcessGone()
    const fault = this.#nextFault(operation, about)
    if (fault === 'die before') this.end()
    if (this.isGone) throw new ProcessGone()
    if (fault === 'roll back') undo()
    if (fault === 'fail' || fault === 'roll back') throw storeFault(operation)
    const result = act()
    if (fault === 'die after') this.end()
    if (this.isGone) throw new ProcessGone()
    if (fault === 'fail after doing it') throw storeFault(operation)
    return result
  }

  /** Some turns of the event loop; everything else that is under way may come first. */
  async pause(turnsMax = TURNS_MAX): Promise<void> {
    for (let turns = this.#random.below(turnsMax + 1); turns > 0; turns--) await nextTurn()
  }

  #nextFault(operation: Operation, about: string): Fault | undefined {
    this.#calls.push(operation)
    const matching = this.#faults.filter((planned) => (planned.operation ?? operation) === operation)
    const due = matching.find(({ skip, times }) => skip === 0 && times > 0)
    for (const planned of matching) if (planned.skip > 0) planned.skip--
    if (due !== undefined) due.times--
    this.#watcher.onCall(operation, about, due?.fault)
    return due?.fault
  }
}

/** Does it now; what came of it is returned, or thrown, when the answer is asked for. */
function answerOf<T>(act: () => T): () => T {
  try {
    const result = act()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}

export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

export const never = () => new Promise<never>(() => {})

const diskFault = (operation: Operation) =>
  Object.assign(new Error(`EIO: ${operation}, as planned`), { code: 'EIO' })

const storeFault = (operation: Operation) =>
  Object.assign(new Error(`SQLite: ${operation} fails, as planned`), { code: 'SQLITE_IOERR' })
