import { join } from 'node:path'
import { HOUR_US, type Clock } from '../clock.ts'
import { CLICK_BYTES_MAX, type Click, encodeClick } from './click.ts'
import type { Files, WritableFile } from './files.ts'
import {
  closeFrame,
  encodeHeader,
  encodeSeal,
  FRAME_HEAD_BYTES,
  HEADER_BYTES,
  SEGMENT_SUFFIX,
  type SegmentHeader,
} from './segment.ts'

const GROUP_BYTES_START = 64 * 1024
/** Clicks that wait for a slow disk beyond this are refused, and their visitors told to come again. */
const GROUP_BYTES_MAX = 8 * 1024 * 1024
const FRAME_BYTES_MAX = FRAME_HEAD_BYTES + CLICK_BYTES_MAX
const SEGMENT_AGE_US_MAX = HOUR_US
/** A group that takes longer than this to write means that the disk is in trouble. */
const STALL_MS = 2_000

/** The click could not be made safe; nothing was recorded, so the visitor must not be redirected. */
export class JournalUnavailable extends Error {}

type JournalDeps = { files: Files; clock: Clock }

type JournalSettings = {
  folder: string
  /** Who this data folder is, which run of the program this is, and what people call the machine. */
  identity: { folder: string; boot: string; node: string }
  /** The last segment of the run before, and how many clicks the folder had journaled with it. */
  after: { segment: string; count: number }
  /** 'os': an answer waits until the operating system has its click. 'disk': until the disk has it. */
  sync: 'os' | 'disk'
  segmentBytesMax: number
  /** Told after every group and every seal; the ingester never reads past what it was told of. */
  onProgress(progress: JournalProgress): void
}

/** How far a segment may be read; `closed` when nothing more will come. */
export type JournalProgress = { segment: string; path: string; position: number; closed: boolean }

/** Clicks of one turn of the event loop: written together, acknowledged together. */
type Group = {
  buffer: Buffer<ArrayBuffer>
  length: number
  clicks: number
  startedAtUs: number
  ends: PromiseWithResolvers<void>
}

type OpenSegment = {
  header: SegmentHeader
  path: string
  file: WritableFile
  /** Everything before it is whole and acknowledged. */
  position: number
  /** Up to where the disk has confirmed it. */
  syncedPosition: number
  clicks: number
  /** The disk refused to sync it; nothing more may go into it. */
  suspect: boolean
}

/**
 * The append-only record of every click, and the promise that it makes: when `append` resolves, the click outlives
 * the process (and with sync 'disk', the machine's power).
 *
 * A segment is open → sealed (full, an hour old, or the program ends in order), or open → abandoned (its file cannot
 * be trusted any more: it could not be cut back, or the disk refused to sync it). The next group opens the next one.
 */
export class Journal {
  readonly #deps: JournalDeps
  readonly #settings: JournalSettings
  #segment: OpenSegment | undefined
  #previous: string
  #count: number
  #pending: Group
  #spareBuffer = Buffer.allocUnsafe(GROUP_BYTES_START)
  #flushing: Promise<void> | undefined
  #scheduled = false
  #closed = false
  #lastWriteFailed = false
  #writingSinceMs: number | undefined

  constructor(deps: JournalDeps, settings: JournalSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#previous = settings.after.segment
    this.#count = settings.after.count
    this.#pending = this.#newGroup(Buffer.allocUnsafe(GROUP_BYTES_START))
  }

  /** Clicks journaled by this folder, ever. */
  get count(): number {
    return this.#count
  }

  /** 'degraded' while clicks cannot be made safe, or only slowly. */
  get state(): 'ok' | 'degraded' {
    const stalled =
      this.#writingSinceMs !== undefined && this.#deps.clock.monotonicMs() - this.#writingSinceMs > STALL_MS
    return this.#lastWriteFailed || stalled ? 'degraded' : 'ok'
  }

  /**
   * Stamps the click with its group's time and puts it into the group. Resolves when the group is safe, rejects with
   * JournalUnavailable when it could not be made so.
   */
  append(click: Click): Promise<void> {
    const group = this.#pending
    if (this.#closed || !makeRoom(group))
      return Promise.reject(new JournalUnavailable('The journal is full.'))
    if (group.clicks === 0) group.startedAtUs = this.#deps.clock.nowUs()
    const start = group.length
    click.clickedAtUs = group.startedAtUs
    group.length = closeFrame(group.buffer, start, encodeClick(group.buffer, start + FRAME_HEAD_BYTES, click))
    group.clicks++
    this.#scheduleFlush()
    return group.ends.promise
  }

  /**
   * Makes what was written so far outlive a power failure; called five times a second with sync 'os'. A segment that
   * cannot be synced gets no more clicks.
   */
  async syncToDisk(): Promise<void> {
    const segment = this.#segment
    if (segment === undefined || segment.syncedPosition === segment.position) return
    const { position } = segment
    try {
      await segment.file.datasync()
      segment.syncedPosition = position
    } catch {
      segment.suspect = true
    }
  }

  /** Writes what waits, seals the segment and closes it. Nothing can be appended any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#flushing
    if (this.#pending.clicks > 0) await this.#flush()
    await this.#seal().catch(() => this.#abandon())
  }

  #scheduleFlush(): void {
    if (this.#scheduled || this.#flushing !== undefined) return
    this.#scheduled = true
    // After the event loop has handed out all the requests that had arrived together.
    setImmediate(() => {
      this.#scheduled = false
      this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined))
    })
  }

  /** Group after group; while one is being written the next one gathers. */
  async #flush(): Promise<void> {
    while (this.#pending.clicks > 0) {
      const group = this.#pending
      this.#pending = this.#newGroup(this.#spareBuffer)
      this.#writingSinceMs = this.#deps.clock.monotonicMs()
      try {
        await this.#write(group)
        this.#lastWriteFailed = false
        group.ends.resolve()
      } catch (error) {
        this.#lastWriteFailed = true
        group.ends.reject(new JournalUnavailable('The click could not be recorded.', { cause: error }))
      }
      this.#writingSinceMs = undefined
      this.#spareBuffer = group.buffer
    }
  }

  async #write(group: Group): Promise<void> {
    if (this.#segment?.suspect) await this.#abandon()
    if (this.#isFull()) await this.#seal().catch(() => this.#abandon())
    const segment = (this.#segment ??= await this.#openSegment())
    const bytes = group.buffer.subarray(0, group.length)
    try {
      await writeAll(segment.file, bytes, segment.position)
    } catch (error) {
      await this.#cutBack(segment)
      throw error
    }
    if (this.#settings.sync === 'disk') await this.#syncOrMove(segment, bytes)
    this.#advance(group.clicks, bytes.length)
  }

  /**
   * After a failed fsync the kernel may have dropped the pages and called them clean, so a second fsync of the same
   * file proves nothing: the group goes into a new segment, from memory.
   */
  async #syncOrMove(segment: OpenSegment, bytes: Uint8Array): Promise<void> {
    try {
      await segment.file.datasync()
    } catch {
      await segment.file.truncate(segment.position).catch(() => {})
      await this.#abandon()
      const next = (this.#segment = await this.#openSegment())
      try {
        await writeAll(next.file, bytes, next.position)
        await next.file.datasync()
      } catch (error) {
        await this.#cutBack(next)
        throw error
      }
    }
  }

  #advance(clicks: number, bytes: number): void {
    const segment = this.#segment!
    segment.position += bytes
    segment.clicks += clicks
    this.#count += clicks
    this.#tell(segment, false)
  }

  /** Part of a group may be in the file. What was not acknowledged must not stay. */
  async #cutBack(segment: OpenSegment): Promise<void> {
    try {
      await segment.file.truncate(segment.position)
    } catch {
      await this.#abandon()
    }
  }

  async #openSegment(): Promise<OpenSegment> {
    const { files, clock } = this.#deps
    const { folder, identity } = this.#settings
    const segment = Bun.randomUUIDv7()
    const path = join(folder, segment + SEGMENT_SUFFIX)
    const header: SegmentHeader = {
      ...identity,
      segment,
      previous: this.#previous,
      baseCount: this.#count,
      createdAtUs: clock.nowUs(),
    }
    const file = await files.createNew(path)
    try {
      await writeAll(file, encodeHeader(header), 0)
      if (this.#settings.sync === 'disk') await file.datasync()
      await files.syncFolder(folder)
    } catch (error) {
      await file.close().catch(() => {})
      await files.unlink(path).catch(() => {})
      throw error
    }
    return { header, path, file, position: HEADER_BYTES, syncedPosition: 0, clicks: 0, suspect: false }
  }

  #isFull(): boolean {
    if (this.#segment === undefined) return false
    const ageUs = this.#deps.clock.nowUs() - this.#segment.header.createdAtUs
    return this.#segment.position >= this.#settings.segmentBytesMax || ageUs >= SEGMENT_AGE_US_MAX
  }

  async #seal(): Promise<void> {
    const segment = this.#segment
    if (segment === undefined) return
    const seal = encodeSeal(segment.clicks)
    try {
      await writeAll(segment.file, seal, segment.position)
      await segment.file.datasync()
    } catch (error) {
      await this.#cutBack(segment)
      throw error
    }
    segment.position += seal.length
    await this.#abandon()
  }

  /** Lets go of the segment, sealed or not; what is readable up to its position stays. */
  async #abandon(): Promise<void> {
    const segment = this.#segment
    if (segment === undefined) return
    this.#segment = undefined
    this.#previous = segment.header.segment
    this.#tell(segment, true)
    await segment.file.close().catch(() => {})
  }

  #tell({ header, path, position }: OpenSegment, closed: boolean): void {
    this.#settings.onProgress({ segment: header.segment, path, position, closed })
  }

  #newGroup(buffer: Buffer<ArrayBuffer>): Group {
    const ends = Promise.withResolvers<void>()
    ends.promise.catch(() => {}) // each click's owner hears of the failure; the group itself has none
    return { buffer, length: 0, clicks: 0, startedAtUs: 0, ends }
  }
}

/** Room for one more click of any size, within the bound. */
function makeRoom(group: Group): boolean {
  if (group.length + FRAME_BYTES_MAX <= group.buffer.length) return true
  if (group.buffer.length >= GROUP_BYTES_MAX) return false
  const larger = Buffer.allocUnsafe(group.buffer.length * 2)
  group.buffer.copy(larger, 0, 0, group.length)
  group.buffer = larger
  return true
}

/** A full disk first takes less than it was given, without an error, so the rest is offered until it says so. */
async function writeAll(file: WritableFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const written = await file.write(bytes.subarray(done), position + done)
    if (written === 0) throw new Error('The disk took no bytes.')
    done += written
  }
}
