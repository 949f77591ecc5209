import type { Database } from 'bun:sqlite'
import { runStatement } from './sqlite-file.ts'
import { WriteTurn } from './write-turn.ts'
import type { WriteWatch } from './write-watch.ts'

/**
 * What a commit promises. 'full' is on the disk when acknowledged. 'process' survives the death of the process, but a
 * power failure may take the last moments: enough for counting requests, and without the wait for the disk.
 */
export type Durability = 'full' | 'process'

export type RunStatement = (text: string, parameters: readonly unknown[]) => void

/** Writes down, outside of the database, what a group is about to commit. */
export type CommitWitness = {
  /** Inside the transaction, right before the commit. What it throws refuses the group. */
  beforeCommit(run: RunStatement): void
  /**
   * After the commit. The group is acknowledged when it resolves, at once when it is undefined; when it rejects, its
   * callers are refused although it stays.
   */
  committed(): Promise<void> | undefined
  /** In place of that: nothing of the group stays. */
  rolledBack(): void
}

export type WriterOptions = {
  watch?: WriteWatch
  witness?: CommitWitness
  /**
   * How long another process may keep the file locked before a write is refused; the thread goes on meanwhile. After
   * that nobody waits, until the file is free again. The connection itself must not wait.
   */
  lockWaitMs?: number
}

const LOCK_LOOK_MS = 10

type Group = {
  durability: Durability
  startedMs: number
  committed: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/**
 * The one writing connection of a thread, with group commit: transactions that arrive in the same turn of the event
 * loop become savepoints of one SQLite transaction, which is committed once, so they share one wait for the disk.
 * Each is acknowledged only after that commit. Groups of several threads take turns.
 *
 *   no group ──(first write)──▶ open ──(end of the turn, nobody inside)──▶ committed ──▶ no group
 *                                └──(SQLite rolled back by itself: disk full, I/O error)──▶ all refused ──▶ no group
 */
export class SqliteWriter {
  readonly database: Database
  readonly #turn: WriteTurn
  readonly #watch: WriteWatch | undefined
  readonly #witness: CommitWitness | undefined
  readonly #lockWaitMs: number
  #lastTurn: Promise<void> = Promise.resolve()
  #group: Group | undefined

  constructor(database: Database, turn = new WriteTurn(), options: WriterOptions = {}) {
    this.database = database
    this.#turn = turn
    this.#watch = options.watch
    this.#witness = options.witness
    this.#lockWaitMs = options.lockWaitMs ?? 0
  }

  /** Waits until nobody else is inside a transaction. The returned function lets the next one in; extra calls do nothing. */
  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#lastTurn
    this.#lastTurn = promise
    await before
    return resolve
  }

  /** Only for the caller that has entered. */
  run(text: string, parameters: readonly unknown[]) {
    try {
      return runStatement(this.database, text, parameters)
    } catch (error) {
      this.#refuseIfRolledBack(error)
      throw error
    }
  }

  /** Undoes what was done since the savepoint, or else the whole group: half of a transaction must not be committed. */
  takeBack(savepoint: string): void {
    try {
      this.run(`ROLLBACK TO ${savepoint}`, [])
      this.run(`RELEASE ${savepoint}`, [])
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Opens a group, or joins the open one. Only for the caller that has entered. */
  async join(durability: Durability): Promise<{ committed: Promise<void> }> {
    if (this.#group?.durability === 'process' && durability === 'full') this.#commit()
    return (this.#group ??= await this.#open(durability))
  }

  /** Resolves when everything written so far is committed. */
  async settle(): Promise<void> {
    const leave = await this.enter()
    try {
      this.#commit()
    } finally {
      leave()
    }
  }

  async #open(durability: Durability): Promise<Group> {
    const startedMs = this.#nowMs()
    await this.#turn.take()
    try {
      // A BEGIN that has failed may have begun all the same.
      if (this.database.inTransaction) this.database.run('ROLLBACK')
      // The level cannot change inside a transaction, which is why groups of both kinds are kept apart.
      this.database.run(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`)
      await this.#begin()
    } catch (error) {
      this.#turn.give()
      this.#watch?.failures.add()
      throw error
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {}) // a group of which nobody waits for the end must not bring the process down
    setImmediate(() => void this.settle())
    return { durability, startedMs, committed: promise, resolve, reject }
  }

  async #begin(): Promise<void> {
    let looks = this.#turn.isLockedOut ? 0 : Math.ceil(this.#lockWaitMs / LOCK_LOOK_MS)
    for (; ; looks--) {
      try {
        this.database.run('BEGIN IMMEDIATE')
        this.#turn.isLockedOut = false
        return
      } catch (error) {
        if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
        this.#turn.isLockedOut ||= looks === 0
        if (looks === 0) throw error
      }
      await Bun.sleep(LOCK_LOOK_MS)
    }
  }

  #commit(): void {
    const group = this.#group
    if (group === undefined) return
    try {
      this.#witness?.beforeCommit((text, parameters) => runStatement(this.database, text, parameters))
      this.database.run('COMMIT')
    } catch (error) {
      return this.#refuse(error)
    }
    this.#group = undefined
    this.#turn.give()
    this.#watch?.seconds.observe((this.#nowMs() - group.startedMs) / 1000)
    const witnessed = this.#witness?.committed()
    if (witnessed === undefined) group.resolve()
    else witnessed.then(group.resolve, group.reject)
  }

  #refuseIfRolledBack(error: unknown): void {
    if (!this.database.inTransaction) this.#refuse(error)
  }

  /** All of the group, and nothing of it stays. */
  #refuse(error: unknown): void {
    const group = this.#group
    if (group === undefined) return
    this.#group = undefined
    this.#watch?.failures.add()
    this.#witness?.rolledBack()
    group.reject(error)
    try {
      if (this.database.inTransaction) this.database.run('ROLLBACK')
    } finally {
      this.#turn.give()
    }
  }

  #nowMs(): number {
    return this.#watch?.clock.monotonicMs() ?? 0
  }
}
