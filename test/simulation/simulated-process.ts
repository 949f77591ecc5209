import type { SeededRandom } from './seeded-random.ts'

/** The calls of a program to its disk and store. Each of them can have faults. */
export const OPERATIONS = [
  'makeFolder',
  'list',
  'createNew',
  'sizeOf',
  'read',
  'write',
  'truncate',
  'datasync',
  'replace',
  'copy',
  'rename',
  'unlink',
  'syncFolder',
  'syncFile',
  'begin',
  'statement',
  'commit',
] as const
export type Operation = (typeof OPERATIONS)[number]

/**
 * 'fail': does nothing and returns an error. 'fail after doing it': does the work and returns an error. 'short': writes a
 * part and returns how much. 'none': writes nothing and returns 0. 'roll back': the store drops the whole transaction. 'die
 * before', 'die after': the process ends there.
 */
export type Fault =
  'fail' | 'fail after doing it' | 'short' | 'none' | 'roll back' | 'die before' | 'die after'

/** From the (skip + 1)-th call of the operation on, `times` calls have the fault. Without an operation: of any. */
export type PlannedFault = { fault: Fault; operation: Operation | undefined; skip: number; times: number }

export type ProcessWatcher = { onCall(operation: Operation, about: string, fault: Fault | undefined): void }

/** Thrown by a synchronous call after its process has ended. It says nothing about the work. */
class ProcessGone extends Error {
  override name = 'ProcessGone'
}

const TURNS_MAX = 2

/**
 * A process of the machine. Its calls to disk and store go through it: they take time, have the planned faults, and end with
 * it. A call in progress when it dies is either carried out or not, and never returns.
 */
export class SimulatedProcess {
  isGone = false
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>
  readonly #calls: Operation[] = []
  readonly #random: SeededRandom
  readonly #faults: PlannedFault[]
  readonly #watcher: ProcessWatcher
  /** Calls in progress: each function carries its call out. None throws, because an error is part of the call's result. */
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

  /** Called when the process has ended, to drop its locks and transactions. */
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

  /** An asynchronous call. `act` does the work, or the part that the fault leaves. */
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

  /** A synchronous call, as to the store. `undo` rolls the transaction back, as SQLite may do by itself. */
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

  /** Waits some event loop iterations, so that anything else in progress may come first. */
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

/** Does the work now. The returned function returns or throws its result. */
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

const never = () => new Promise<never>(() => {})

const diskFault = (operation: Operation) =>
  Object.assign(new Error(`EIO: ${operation}, as planned`), { code: 'EIO' })

const storeFault = (operation: Operation) =>
  Object.assign(new Error(`SQLite: ${operation} fails, as planned`), { code: 'SQLITE_IOERR' })
