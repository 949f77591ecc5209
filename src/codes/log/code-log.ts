import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { writeAll } from '../../store/files/write-all.ts'
import type { CommitHook, RunStatement } from '../../store/sqlite/sqlite-writer.ts'
import { type ClaimedCode, claimRecord } from './code-log-record.ts'
import { type LogFile, openLogFile } from './log-file.ts'

/** An open log: its id, its file, and where it ends. */
export type OpenedCodeLog = { log: string; path: string; end: number }

/** `isDistrusted`: a sync of the log failed, so reading it proves nothing about what is on the disk. */
export type OpenLog = (isDistrusted: boolean) => Promise<OpenedCodeLog>

/**
 * Records each claimed code outside of the database, so that no code changes owners and no link's ID is assigned again, even if
 * an older database replaces this one.
 *
 * The claims of a group of transactions are written together right before its commit, and acknowledged when both are on the disk.
 * A position in the database says how far it agrees with the log. It moves in the same transaction.
 *
 *   closed ──(open: the store is brought up to date)──▶ open ──(the disk refuses to sync)──▶ closed
 */
export class CodeLog implements CommitHook {
  readonly #open: OpenLog
  readonly #openFile: (path: string) => LogFile
  #opening: Promise<void> | undefined
  #file: LogFile | undefined
  #isDistrusted = false
  #log = ''
  #end = 0
  /** Claims of the group that has not been committed yet. */
  #claims: ClaimedCode[] = []
  /** What the group has written, until it is committed. */
  #pending: { from: number; synced: Promise<void> } | undefined

  constructor(open: OpenLog, openFile = openLogFile) {
    this.#open = open
    this.#openFile = openFile
  }

  /** To be waited for before a code is claimed. Refused while the log cannot be used, and tried again by the next. */
  async ready(): Promise<void> {
    if (this.#file !== undefined) return
    this.#opening ??= this.#openAgain().finally(() => (this.#opening = undefined))
    await this.#opening
  }

  /** Inside the transaction that claims them, as its last step. */
  note(claims: readonly ClaimedCode[]): void {
    this.#claims.push(...claims)
  }

  /** The commit has waited for the disk. */
  async keep(): Promise<void> {}

  beforeCommit(run: RunStatement): void {
    const claims = this.#claims.splice(0)
    if (claims.length === 0) return
    const file = this.#file
    if (file === undefined) throw new StoreUnavailable('The code log is closed.')
    const bytes = Buffer.from(claims.map(claimRecord).join(''), 'latin1')
    const from = this.#end
    try {
      writeAll(file, bytes, from)
    } catch (error) {
      cutBack(file, from)
      throw unavailable(error)
    }
    this.#end = from + bytes.length
    this.#pending = { from, synced: this.#sync(file) }
    run('UPDATE code_log SET position = ? WHERE log = ?', [this.#end, this.#log])
  }

  committed(): Promise<void> | undefined {
    const synced = this.#pending?.synced
    this.#pending = undefined
    return synced
  }

  rolledBack(): void {
    this.#claims = []
    if (this.#pending === undefined) return
    this.#end = this.#pending.from
    this.#pending = undefined
    if (this.#file !== undefined) cutBack(this.#file, this.#end)
  }

  async close(): Promise<void> {
    this.#file?.close()
    this.#file = undefined
  }

  async #openAgain(): Promise<void> {
    try {
      const { log, path, end } = await this.#open(this.#isDistrusted)
      this.#file = this.#openFile(path)
      this.#isDistrusted = false
      this.#log = log
      this.#end = end
    } catch (error) {
      throw unavailable(error)
    }
  }

  /**
   * After a failed sync the same bytes prove nothing any more, nor does a later sync of the same file: opening it again
   * writes everything again.
   */
  #sync(file: LogFile): Promise<void> {
    const refuse = (cause: unknown) => {
      if (this.#file === file) void this.close()
      this.#isDistrusted = true
      throw unavailable(cause)
    }
    const synced = file.sync().then(() => {
      if (this.#file !== file) refuse(new Error('Another sync of the file has failed.'))
    }, refuse)
    synced.catch(() => {}) // when the commit fails, nobody waits for it
    return synced
  }
}

/** Where it cannot be cut, the next claims are written over it. */
function cutBack(file: LogFile, size: number): void {
  try {
    file.truncate(size)
  } catch {}
}

function unavailable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('The code log cannot be written.', { cause })
}
