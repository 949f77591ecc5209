import type { DurableDb } from '../../store/handles.ts'
import { ftruncateSync, openSync, closeSync } from 'node:fs'
import { describeError, type Log } from '../../runtime/log.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { writeAll } from '../../store/files/write-all.ts'
import { agreeOn, blockCodesLostSince } from './block-lost-codes.ts'
import { type ClaimedCode, claimRecord, HEAD_BYTES } from './code-log-record.ts'
import { type LogFile, openLogFile } from './log-file.ts'
import { readOrMakeCodeLog } from './make-code-log.ts'
import { codeLogPath, readCodeLog } from './read-code-log.ts'

type Group = { claims: ClaimedCode[]; done: PromiseWithResolvers<void> }

export type NodeCodeLogDeps = { db: DurableDb; log: Log; openFile?: (path: string) => LogFile }

/**
 * The code log of one of several nodes, on its own disk. The database commits first. Then the claim is written, and it is
 * acknowledged when it is on the disk. If the database loses commits (an older backup, a standby that lacked the last ones), the
 * codes of acknowledged links are blocked and reported as lost, instead of being given to another owner.
 *
 *   closed ──(ready)──▶ open ──(the disk refuses)──▶ closed
 */
export class NodeCodeLog {
  readonly #deps: NodeCodeLogDeps
  /** Its own, and those of workers that no longer run. */
  readonly #dataDirs: readonly [string, ...string[]]
  #opening: Promise<void> | undefined
  #file: LogFile | undefined
  #id = ''
  #end = 0
  #waiting: Group | undefined
  #writing: Promise<void> | undefined

  constructor(deps: NodeCodeLogDeps, dataDirs: readonly [string, ...string[]]) {
    this.#deps = deps
    this.#dataDirs = dataDirs
  }

  /** To be waited for before a code is claimed. Refused while the log cannot be used, and tried again by the next. */
  async ready(): Promise<void> {
    if (this.#file !== undefined) return
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined))
    await this.#opening
  }

  /** The commit is the database's own. */
  note(): void {}

  /** To be waited for after the commit, before the claim is acknowledged. Those that come together share one sync. */
  async keep(claims: readonly ClaimedCode[]): Promise<void> {
    if (claims.length === 0) return
    this.#waiting ??= { claims: [], done: Promise.withResolvers() }
    this.#waiting.claims.push(...claims)
    const { promise } = this.#waiting.done
    this.#writing ??= this.#writeAll()
    await promise
  }

  /** The server that answers now may lack the last commits of the one before. */
  async serverChanged(): Promise<void> {
    const { log } = this.#deps
    await this.blockLost().catch((error) =>
      log.error('Could not check whether the database lost links.', describeError(error)),
    )
  }

  /** Blocks what the database has lost. */
  async blockLost(): Promise<void> {
    const { db, log } = this.#deps
    let links = 0
    for (const dataDir of this.#dataDirs) links += (await blockCodesLostSince(db, dataDir)).blocked
    if (links > 0) log.error('The database lost acknowledged links; their codes are now blocked.', { links })
  }

  async close(): Promise<void> {
    await this.#writing
    if (this.#file === undefined) return
    // So that the next start does not read the log up to here.
    await agreeOn(this.#deps.db, this.#id, this.#end).catch(() => {})
    this.#file.close()
    this.#file = undefined
  }

  async #open(): Promise<void> {
    try {
      const path = codeLogPath(this.#dataDirs[0])
      this.#id = readOrMakeCodeLog(path)
      this.#end = wholeEnd(path)
      await this.blockLost()
      await agreeOn(this.#deps.db, this.#id, this.#end)
      this.#file = (this.#deps.openFile ?? openLogFile)(path)
    } catch (error) {
      throw unavailable(error)
    }
  }

  async #writeAll(): Promise<void> {
    // Claims of the same turn of the event loop share a write.
    await Promise.resolve()
    const { log } = this.#deps
    while (this.#waiting !== undefined) {
      const { claims, done } = this.#waiting
      this.#waiting = undefined
      await this.#write(claims).then(done.resolve, (error) => {
        log.error(
          'Codes could not be written to the code log; their links were not made.',
          describeError(error),
        )
        done.reject(error)
      })
    }
    // In the same turn as the last check, so that a later claim starts another write.
    this.#writing = undefined
  }

  async #write(claims: readonly ClaimedCode[]): Promise<void> {
    const file = this.#file
    if (file === undefined) throw new StoreUnavailable('The code log is closed.')
    const bytes = Buffer.from(claims.map(claimRecord).join(''), 'latin1')
    try {
      writeAll(file, bytes, this.#end)
      await file.sync()
      this.#end += bytes.length
    } catch (error) {
      // After a failed sync the file cannot be trusted, so the next claim opens it again.
      this.#file = undefined
      file.close()
      throw unavailable(error)
    }
  }
}

/** An incomplete last line belongs to a claim that was not acknowledged. */
function wholeEnd(path: string): number {
  let end = HEAD_BYTES
  for (const piece of readCodeLog(path, HEAD_BYTES)) end = piece.end
  const file = openSync(path, 'r+')
  try {
    ftruncateSync(file, end)
  } finally {
    closeSync(file)
  }
  return end
}

const unavailable = (cause: unknown): StoreUnavailable =>
  cause instanceof StoreUnavailable
    ? cause
    : new StoreUnavailable('The code log cannot be written.', { cause })
