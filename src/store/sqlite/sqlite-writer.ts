import type { Database } from 'bun:sqlite'
import { runStatement } from './sqlite-file.ts'
import { WriteLock } from './write-lock.ts'
import type { WriteMetrics } from '../write-metrics.ts'

/**
 * What a commit promises. 'full': on the disk when acknowledged. 'process': survives the end of the process, but a power
 * failure may lose the last moments; it does not wait for the disk.
 */
export type Durability = 'full' | 'process'

export type RunStatement = (text: string, parameters: readonly unknown[]) => void

/** Writes a log outside of the database in step with its commits (src/codes/log). */
export type CommitHook = {
  /** Inside the transaction, right before the commit. If it throws, the group is rolled back. */
  beforeCommit(run: RunStatement): void
  /**
   * After the commit. The group is acknowledged when it resolves, or at once if it is undefined. If it rejects, the callers
   * get the error although the group stays committed.
   */
  committed(): Promise<void> | undefined
  /** Called instead if the group is rolled back. */
  rolledBack(): void
}

export type WriterOptions = {
  metrics?: WriteMetrics
  commitHook?: CommitHook
  /**
   * How long a write waits for another process that has locked the file. Once a write has waited this long, further ones
   * are refused at once until the file is free. The connection's own busy timeout must be 0: it would block the thread.
   */
  lockWaitMs?: number
}

const LOCK_RETRY_MS = 10

type Group = {
  durability: Durability
  startedMs: number
  committed: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/**
 * The one writing connection of a thread, with group commit: transactions that arrive in the same iteration of the event
 * loop become one SQLite transaction, which is committed once, so they share one wait for the disk: all but the first are savepoints of it.
 * Each is acknowledged only after that commit. The threads share a lock, one group at a time.
 *
 *   no group ──(first write)──▶ open ──(end of the iteration, nobody inside)──▶ committed ──▶ no group
 *                                └──(SQLite rolled back by itself: disk full, I/O error)──▶ all refused ──▶ no group
 */
export class SqliteWriter {
  readonly database: Database
  readonly #lock: WriteLock
  readonly #metrics: WriteMetrics | undefined
  readonly #hook: CommitHook | undefined
  readonly #lockWaitMs: number
  #lastEntry: Promise<void> = Promise.resolve()
  #group: Group | undefined

  constructor(database: Database, lock = new WriteLock(), options: WriterOptions = {}) {
    this.database = database
    this.#lock = lock
    this.#metrics = options.metrics
    this.#hook = options.commitHook
    this.#lockWaitMs = options.lockWaitMs ?? 0
  }

  /** Waits until no other transaction is inside. The returned function lets the next one in; more calls do nothing. */
  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#lastEntry
    this.#lastEntry = promise
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

  /** If rolling back to the savepoint fails, rolls back the whole group: half a transaction must not be committed. */
  rollBackTo(savepoint: string): void {
    try {
      this.run(`ROLLBACK TO ${savepoint}`, [])
      this.run(`RELEASE ${savepoint}`, [])
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Opens a group, or joins the open one. Only for the caller that has entered. `isFirst`: nothing has been written in it. */
  async join(durability: Durability): Promise<{ committed: Promise<void>; isFirst: boolean }> {
    if (this.#group?.durability === 'process' && durability === 'full') this.#commit()
    const isFirst = this.#group === undefined
    const { committed } = (this.#group ??= await this.#open(durability))
    return { committed, isFirst }
  }

  /** Of a group in which only the caller has written. */
  rollBackGroup(): void {
    this.#group?.resolve()
    this.#end()
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
    await this.#lock.acquire()
    try {
      // A BEGIN that failed may still have begun a transaction.
      if (this.database.inTransaction) this.database.run('ROLLBACK')
      // The level cannot change inside a transaction, so a group has one durability.
      this.database.run(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`)
      await this.#begin()
    } catch (error) {
      this.#lock.release()
      this.#metrics?.failures.add()
      throw error
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {}) // Nobody may be waiting for it.
    setImmediate(() => void this.settle())
    return { durability, startedMs, committed: promise, resolve, reject }
  }

  async #begin(): Promise<void> {
    let tries = this.#lock.isLockedOut ? 0 : Math.ceil(this.#lockWaitMs / LOCK_RETRY_MS)
    for (; ; tries--) {
      try {
        this.database.run('BEGIN IMMEDIATE')
        this.#lock.isLockedOut = false
        return
      } catch (error) {
        if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
        this.#lock.isLockedOut ||= tries === 0
        if (tries === 0) throw error
      }
      await Bun.sleep(LOCK_RETRY_MS)
    }
  }

  #commit(): void {
    const group = this.#group
    if (group === undefined) return
    try {
      this.#hook?.beforeCommit((text, parameters) => runStatement(this.database, text, parameters))
      this.database.run('COMMIT')
    } catch (error) {
      return this.#refuse(error)
    }
    this.#group = undefined
    this.#lock.release()
    this.#metrics?.seconds.observe((this.#nowMs() - group.startedMs) / 1000)
    const hooked = this.#hook?.committed()
    if (hooked === undefined) group.resolve()
    else hooked.then(group.resolve, group.reject)
  }

  #refuseIfRolledBack(error: unknown): void {
    if (!this.database.inTransaction) this.#refuse(error)
  }

  /** Rolls back the whole group. */
  #refuse(error: unknown): void {
    if (this.#group === undefined) return
    this.#metrics?.failures.add()
    this.#group.reject(error)
    this.#end()
  }

  /** Without a commit. */
  #end(): void {
    if (this.#group === undefined) return
    this.#group = undefined
    this.#hook?.rolledBack()
    try {
      if (this.database.inTransaction) this.database.run('ROLLBACK')
    } finally {
      this.#lock.release()
    }
  }

  #nowMs(): number {
    return this.#metrics?.clock.monotonicMs() ?? 0
  }
}
