import type { Clock } from '../../runtime/clock.ts'
import { CLICK_BYTES_MAX, type Click, encodeClick, formatOf } from './click.ts'
import { closeFrame, FRAME_HEAD_BYTES } from './frame.ts'
import {
  type ClickGroup,
  type JournalDeps,
  type JournalSettings,
  SegmentSequence,
} from './segment-sequence.ts'

const GROUP_BYTES_START = 64 * 1024
/** While this many bytes wait for a slow disk, further clicks are refused and their visitors get 503. */
const GROUP_BYTES_MAX = 8 * 1024 * 1024
const FRAME_BYTES_MAX = FRAME_HEAD_BYTES + CLICK_BYTES_MAX
/** A group that takes longer to write makes the journal 'degraded'. */
const STALL_MS = 2_000

/** The click was not recorded, so the visitor must not be redirected. */
export class JournalUnavailable extends Error {}

/** Clicks of one event loop iteration: written together, acknowledged together. */
type Group = ClickGroup & {
  buffer: Buffer<ArrayBuffer>
  startedAtUs: number
  ends: PromiseWithResolvers<void>
}

/**
 * The append-only record of every click. When `append` resolves, the click survives the death of the process, and with
 * sync 'disk' a power failure too.
 */
export class Journal {
  readonly #clock: Clock
  readonly #segments: SegmentSequence
  #pending: Group
  #spareBuffer = Buffer.allocUnsafe(GROUP_BYTES_START)
  #flushing: Promise<void> | undefined
  #scheduled = false
  #closing: Promise<void> | undefined
  #lastWriteFailed = false
  #writingSinceMs: number | undefined

  constructor(deps: JournalDeps, settings: JournalSettings) {
    this.#clock = deps.clock
    this.#segments = new SegmentSequence(deps, settings)
    this.#pending = this.#newGroup(Buffer.allocUnsafe(GROUP_BYTES_START))
  }

  /** Clicks that this folder has ever journaled. */
  get count(): number {
    return this.#segments.count
  }

  /** 'degraded' while clicks cannot be written, or only slowly. */
  get state(): 'ok' | 'degraded' {
    const stalled =
      this.#writingSinceMs !== undefined && this.#clock.monotonicMs() - this.#writingSinceMs > STALL_MS
    return this.#lastWriteFailed || stalled || !this.#segments.isUsable ? 'degraded' : 'ok'
  }

  /**
   * Stamps the click with its group's time and adds it to the group. Resolves when the group is written, rejects with
   * JournalUnavailable if it could not be.
   */
  append(click: Click): Promise<void> {
    const group = this.#pending
    if (this.#closing !== undefined) return Promise.reject(new JournalUnavailable('The journal is closed.'))
    if (!makeRoom(group)) return Promise.reject(new JournalUnavailable('The journal is full.'))
    if (group.clicks === 0) group.startedAtUs = this.#clock.nowUs()
    const start = group.length
    click.clickedAtUs = group.startedAtUs
    group.length = closeFrame(group.buffer, start, encodeClick(group.buffer, start + FRAME_HEAD_BYTES, click))
    group.clicks++
    if (formatOf(click) > group.format) group.format = formatOf(click)
    this.#scheduleFlush()
    return group.ends.promise
  }

  /**
   * Makes what was written so far survive a power failure. Called five times a second with sync 'os'. A segment that
   * cannot be synced gets no more clicks.
   */
  async syncToDisk(): Promise<void> {
    await this.#segments.syncToDisk()
  }

  /** Writes the waiting group, seals the segment and closes it. Later appends are refused. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    while (this.#pending.clicks > 0 || this.#flushing !== undefined) {
      await (this.#flushing ??= this.#flush())
    }
    await this.#segments.close()
  }

  #scheduleFlush(): void {
    if (this.#scheduled || this.#flushing !== undefined) return
    this.#scheduled = true
    // Runs after the event loop has delivered all requests that arrived together.
    setImmediate(() => {
      this.#scheduled = false
      if (this.#pending.clicks > 0) this.#flushing ??= this.#flush()
    })
  }

  /** Writes group after group; while one is being written, the next one collects. */
  async #flush(): Promise<void> {
    while (this.#pending.clicks > 0) {
      const group = this.#pending
      this.#pending = this.#newGroup(this.#spareBuffer)
      this.#writingSinceMs = this.#clock.monotonicMs()
      try {
        await this.#segments.write(group)
        this.#lastWriteFailed = false
        group.ends.resolve()
      } catch (error) {
        this.#lastWriteFailed = true
        group.ends.reject(new JournalUnavailable('Could not record the click.', { cause: error }))
      }
      this.#writingSinceMs = undefined
      this.#spareBuffer = group.buffer
    }
    // No await since the last check for waiting clicks: a later click starts a flush of its own.
    this.#flushing = undefined
  }

  #newGroup(buffer: Buffer<ArrayBuffer>): Group {
    const ends = Promise.withResolvers<void>()
    ends.promise.catch(() => {}) // each caller of append handles the failure
    return { buffer, length: 0, clicks: 0, startedAtUs: 0, format: 1, ends }
  }
}

/** Makes room for one more click of any size; false at the bound. */
function makeRoom(group: Group): boolean {
  if (group.length + FRAME_BYTES_MAX <= group.buffer.length) return true
  if (group.buffer.length >= GROUP_BYTES_MAX) return false
  const larger = Buffer.allocUnsafe(group.buffer.length * 2)
  group.buffer.copy(larger, 0, 0, group.length)
  group.buffer = larger
  return true
}
