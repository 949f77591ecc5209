import { StoreUnavailable } from '../store-unavailable.ts'
import type { CommitWitness, RunStatement } from '../store/sqlite-writer.ts'
import { type ClaimedCode, claimLine } from './code-log-line.ts'
import { type LogFile, openLogFile } from './log-file.ts'

/** An open log: its id, its file, and where it ends. */
export type OpenedCodeLog = { log: string; path: string; end: number }

/** `isDistrusted`: the disk has refused to sync it, so that what is read from it need not be on the disk. */
export type OpenLog = (isDistrusted: boolean) => Promise<OpenedCodeLog>

/**
 * Writes down each code that is claimed, outside of the database, so that a code never changes hands and a link's id
 * never comes back, also when an older database takes this one's place.
 *
 * What a group of transactions has claimed is written, at once, right before the group is committed; nobody hears of
 * the commit before the disk has both. The database knows how far it agrees with the log, by a position that moves in
 * the very transaction.
 *
 *   closed ──(open: the store is brought up to date)──▶ open ──(the disk refuses to sync)──▶ closed
 */
export class CodeLog implements CommitWitness {
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
    const bytes = Buffer.from(claims.map(claimLine).join(''), 'latin1')
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
   * writes everything anew.
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

/** A full disk first takes less than it was given, so the rest is offered until it says so. */
function writeAll(file: LogFile, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const written = file.write(bytes.subarray(done), position + done)
    if (written === 0) throw new Error('The disk took no bytes.')
    done += written
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
