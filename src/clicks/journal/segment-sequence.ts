import { HOUR_US, type Clock } from '../../runtime/clock.ts'
import type { Files } from './files.ts'
import type { SegmentFormat } from './segment.ts'
import { SegmentWriter, type Sync } from './segment-writer.ts'

const SEGMENT_AGE_US_MAX = HOUR_US
const WRITE_TRIES_MAX = 2

export type JournalDeps = { files: Files; clock: Clock }

/** The last segment of the previous run, where it ends, and how many clicks the folder had journaled by then. */
export type LastSegment = { segment: string; end: number; count: number }

export type JournalSettings = {
  folder: string
  /** The ids of the journal folder and of this run of the program, and the name of the machine. */
  identity: { folder: string; boot: string; node: string }
  after: LastSegment
  /** 'os': visitors are answered when the operating system has the click. 'disk': when the disk has it. */
  sync: Sync
  segmentBytesMax: number
  /** Called after every group and every seal. Ingestion never reads past the position given here. */
  onProgress(progress: JournalProgress): void
}

/** How far a segment may be read. `closed`: nothing more will be written to it. */
export type JournalProgress = { segment: string; path: string; position: number; closed: boolean }

/** Complete frames, and what the segment has to know about them. */
export type ClickGroup = {
  buffer: Buffer
  length: number
  clicks: number
  /** The lowest that can hold all of its clicks. */
  format: SegmentFormat
}

/**
 * The segments of a journal, written one after the other. A segment is sealed when it is full, an hour old, of too low a
 * format, or the program ends in order. It is abandoned when it has become unusable. The next group opens the next one.
 */
export class SegmentSequence {
  readonly #deps: JournalDeps
  readonly #settings: JournalSettings
  #segment: SegmentWriter | undefined
  #previous: { segment: string; end: number }
  #count: number

  constructor(deps: JournalDeps, settings: JournalSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#previous = settings.after
    this.#count = settings.after.count
  }

  /** Clicks that this folder has ever journaled. */
  get count(): number {
    return this.#count
  }

  get isUsable(): boolean {
    return this.#segment?.isUsable !== false
  }

  async syncToDisk(): Promise<void> {
    // The segment remembers the failure and is unusable from here on.
    await this.#segment?.syncToDisk().catch(() => {})
  }

  close(): Promise<void> {
    return this.#leaveSegment((segment) => segment.seal())
  }

  /** Resolves when the group is safe. Writes it once more, to a new segment, if its segment became unusable. */
  async write(group: ClickGroup): Promise<void> {
    const frames = group.buffer.subarray(0, group.length)
    for (let attempt = 1; ; attempt++) {
      const segment = await this.#usableSegment(group.format)
      try {
        await segment.append(frames, group.clicks)
      } catch (error) {
        if (segment.isUsable || attempt === WRITE_TRIES_MAX) throw error
        continue
      }
      this.#count += group.clicks
      return this.#report(segment, false)
    }
  }

  /** The open segment, or a new one if it is full, unusable, or of a format that cannot hold the group. */
  async #usableSegment(format: SegmentFormat): Promise<SegmentWriter> {
    if (this.#segment?.isUsable === false) await this.#leaveSegment((segment) => segment.close())
    if (this.#isFull() || (this.#segment?.header.format ?? format) < format)
      await this.#leaveSegment((segment) => segment.seal())
    return (this.#segment ??= await this.#nextSegment(format))
  }

  #nextSegment(format: SegmentFormat): Promise<SegmentWriter> {
    const { folder, identity, sync } = this.#settings
    const header = {
      ...identity,
      format,
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
    this.#report(segment, true)
  }

  #report({ header, path, position }: SegmentWriter, closed: boolean): void {
    this.#settings.onProgress({ segment: header.segment, path, position, closed })
  }
}
