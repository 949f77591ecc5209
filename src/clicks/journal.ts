import { HOUR_US, type Clock } from '../clock.ts'
import { CLICK_BYTES_MAX, type Click, encodeClick } from './click.ts'
import type { Files } from './files.ts'
import { closeFrame, FRAME_HEAD_BYTES } from './segment.ts'
import { SegmentWriter, type Sync } from './segment-writer.ts'

const GROUP_BYTES_START = 64 * 1024
/** Clicks that wait for a slow disk beyond this are refused, and their visitors told to come again. */
const GROUP_BYTES_MAX = 8 * 1024 * 1024
const FRAME_BYTES_MAX = FRAME_HEAD_BYTES + CLICK_BYTES_MAX
const SEGMENT_AGE_US_MAX = HOUR_US
/** A group that takes longer than this to write means that the disk is in trouble. */
const STALL_MS = 2_000
/** A group whose segment became unusable under it is written once more, into a new one. */
const WRITE_TRIES_MAX = 2

/** The click could not be made safe; nothing was recorded, so the visitor must not be redirected. */
export class JournalUnavailable extends Error {}

type JournalDeps = { files: Files; clock: Clock }

/** The last segment of the run before, where it ends, and how many clicks the folder had journaled with it. */
export type LastSegment = { segment: string; end: number; count: number }

type JournalSettings = {
  folder: string
  /** Who this data folder is, which run of the program this is, and what people call the machine. */
  identity: { folder: string; boot: string; node: string }
  after: LastSegment
  /** 'os': an answer waits until the operating system has its click. 'disk': until the disk has it. */
  sync: Sync
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

/**
 * The append-only record of every click, and the promise that it makes: when `append` resolves, the click outlives
 * the process (and with sync 'disk', the machine's power).
 *
 * It writes one segment at a time. A segment is sealed when it is full, an hour old, or the program ends in order, and
 * abandoned when it has become unusable; the next group opens the next one.
 */
export class Journal {
  readonly #deps: JournalDeps
  readonly #settings: JournalSettings
  #segment: SegmentWriter | undefined
  #previous: { segment: string; end: number }
  #count: number
  #pending: Group
  #spareBuffer = Buffer.allocUnsafe(GROUP_BYTES_START)
  #flushing: Promise<void> | undefined
  #scheduled = false
  #closing: Promise<void> | undefined
  #lastWriteFailed = false
  #writingSinceMs: number | undefined

  constructor(deps: JournalDeps, settings: JournalSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#previous = settings.after
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
    const cannotSync = this.#segment?.isUsable === false
    return this.#lastWriteFailed || stalled || cannotSync ? 'degraded' : 'ok'
  }

  /**
   * Stamps the click with its group's time and puts it into the group. Resolves when the group is safe, rejects with
   * JournalUnavailable when it could not be made so.
   */
  append(click: Click): Promise<void> {
    const group = this.#pending
    if (this.#closing !== undefined) return Promise.reject(new JournalUnavailable('The journal is closed.'))
    if (!makeRoom(group)) return Promise.reject(new JournalUnavailable('The journal is full.'))
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
    // A failure is not lost: the segment remembers that it is unusable.
    await this.#segment?.syncToDisk().catch(() => {})
  }

  /** Writes what waits, seals the segment and closes it. Nothing can be appended any more. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    while (this.#pending.clicks > 0 || this.#flushing !== undefined) {
      await (this.#flushing ??= this.#flush())
    }
    await this.#leaveSegment((segment) => segment.seal())
  }

  #scheduleFlush(): void {
    if (this.#scheduled || this.#flushing !== undefined) return
    this.#scheduled = true
    // After the event loop has handed out all the requests that had arrived together.
    setImmediate(() => {
      this.#scheduled = false
      if (this.#pending.clicks > 0) this.#flushing ??= this.#flush()
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
        group.ends.reject(new JournalUnavailable('Could not record the click.', { cause: error }))
      }
      this.#writingSinceMs = undefined
      this.#spareBuffer = group.buffer
    }
    // In one step with the last look at what waits: a click that comes later has to start a flush of its own.
    this.#flushing = undefined
  }

  async #write(group: Group): Promise<void> {
    const frames = group.buffer.subarray(0, group.length)
    for (let attempt = 1; ; attempt++) {
      const segment = await this.#usableSegment()
      try {
        await segment.append(frames, group.clicks)
      } catch (error) {
        if (segment.isUsable || attempt === WRITE_TRIES_MAX) throw error
        continue
      }
      this.#count += group.clicks
      return this.#tell(segment, false)
    }
  }

  /** The open segment, or the next one. */
  async #usableSegment(): Promise<SegmentWriter> {
    if (this.#segment?.isUsable === false) await this.#leaveSegment((segment) => segment.close())
    if (this.#isFull()) await this.#leaveSegment((segment) => segment.seal())
    return (this.#segment ??= await this.#nextSegment())
  }

  #nextSegment(): Promise<SegmentWriter> {
    const { folder, identity, sync } = this.#settings
    const header = {
      ...identity,
      segment: Bun.randomUUIDv7(),
      previous: this.#previous.segment,
      previousEnd: this.#previous.end,
      baseCount: this.#count,
      createdAtUs: this.#deps.clock.nowUs(),
    }
    return SegmentWriter.create(this.#deps.files, { folder, header, sync })
  }

  #isFull(): boolean {
    if (this.#segment === undefined) return false
    const ageUs = this.#deps.clock.nowUs() - this.#segment.header.createdAtUs
    return this.#segment.position >= this.#settings.segmentBytesMax || ageUs >= SEGMENT_AGE_US_MAX
  }

  async #leaveSegment(end: (segment: SegmentWriter) => Promise<void>): Promise<void> {
    const segment = this.#segment
    if (segment === undefined) return
    await end(segment)
    this.#segment = undefined
    this.#previous = { segment: segment.header.segment, end: segment.position }
    this.#tell(segment, true)
  }

  #tell({ header, path, position }: SegmentWriter, closed: boolean): void {
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
