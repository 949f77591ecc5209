import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { Files } from './files.ts'
import { Ingest, type IngestDeps, StalePosition } from './ingest.ts'
import type { JournalProgress } from './journal.ts'
import { keepOddBytes } from './keep-odd-bytes.ts'
import { readBatch, type SegmentBatch } from './read-segment.ts'
import { removeOldSegments } from './remove-old-segments.ts'
import { knownSegments, reportGoneSegments } from './report-gone-segments.ts'
import { decodeHeader, HEADER_BYTES, SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'

/** Half as many would cost a third more each. */
const BATCH_CLICKS_MAX = 10_000
const PIECE_BYTES = 2 * 1024 * 1024

type ReaderDeps = IngestDeps & { files: Files; log: Log }

type ReaderSettings = {
  folder: string
  /** This run of the program: its own segments are read only as far as the journal has announced them. */
  boot: string
  retentionUs: number
  /** False: only counters, no single clicks. */
  keepsRawClicks: boolean
}

/** What is known of a segment's file. */
type FoundSegment = {
  header: SegmentHeader
  path: string
  /** Where its acknowledged bytes end; undefined: at the end of the file. */
  end: number | undefined
  closed: boolean
  /** Where the segment after it says that it ends; behind that is what was refused, or written there once more. */
  endMax: number
}

/** A segment that is not finished yet, and how far it has been counted. */
type Segment = FoundSegment & Counted

type Counted = { position: number; clicks: number; deadLetters: number; isFinished: boolean }

type NextBatch = { batch: SegmentBatch; from: number; isEnd: boolean }

/**
 * Follows the journal's segments, those of earlier runs and the live one, and hands their clicks to the counters.
 *
 *   found ──▶ reading ──(closed, last byte counted)──▶ finished ──(retention over)──▶ trash ──(a day)──▶ gone
 *              └──(newer format, gone, or shorter than what was counted)──▶ left alone, with an alarm in the log
 */
export class JournalReader {
  readonly #deps: ReaderDeps
  readonly #settings: ReaderSettings
  readonly #ingest: Ingest
  readonly #segments = new Map<string, Segment>()
  /** The last word about each segment of this run that has not been taken up yet. */
  readonly #announced = new Map<string, JournalProgress>()
  readonly #alarmed = new Set<string>()
  /** Finished or left alone: nothing more is done about them in this run. */
  readonly #done = new Set<string>()

  constructor(deps: ReaderDeps, settings: ReaderSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#ingest = new Ingest(deps)
  }

  /** Takes up what earlier runs have left. */
  async findSegments(): Promise<void> {
    const known = await knownSegments(this.#deps.store)
    // A killed run may have left a name that the disk does not have yet. Were the store to know of it first, it would
    // miss that segment after a power failure. A disk that refuses is no reason not to count.
    await this.#deps.files.syncFolder(this.#settings.folder).catch(() => {})
    const names = await this.#deps.files.list(this.#settings.folder)
    const found: { header: SegmentHeader; path: string }[] = []
    for (const name of names.filter((each) => each.endsWith(SEGMENT_SUFFIX))) {
      const path = join(this.#settings.folder, name)
      const head = await this.#readHead(path)
      // Removed meanwhile, just being made, or its run was killed then: there is no click to count.
      if (head.length < HEADER_BYTES) continue
      const header = this.#decodeHead(head, path)
      if (header !== undefined) found.push({ header, path })
    }
    reportGoneSegments(this.#deps.log, known, { names, headers: found.map(({ header }) => header) })
    const ends = new Map(found.map(({ header }) => [header.previous, header.previousEnd]))
    for (const { header, path } of found) {
      if (header.boot === this.#settings.boot) continue
      const endMax = ends.get(header.segment) ?? Infinity
      this.#follow({ header, path, end: undefined, closed: true, endMax }, await this.#takeUp(header))
    }
  }

  /** What the journal of this run says about its segment, in the order in which it says it. */
  async hear(progress: JournalProgress): Promise<void> {
    const known = this.#segments.get(progress.segment)
    if (known !== undefined) Object.assign(known, { end: progress.position, closed: progress.closed })
    else if (!this.#done.has(progress.segment)) this.#announced.set(progress.segment, progress)
  }

  /** Counts one batch. False when there is nothing to count now. */
  async countSome(clicksMax = BATCH_CLICKS_MAX): Promise<boolean> {
    for (const { segment, path } of this.#announced.values()) await this.#takeUpAnnounced(segment, path)
    let unreadable: unknown
    for (const segment of this.#segments.values()) {
      const next = await this.#nextBatch(segment, clicksMax).catch((error) => void (unreadable ??= error))
      if (next === undefined) continue
      await this.#count(segment, next)
      return true
    }
    // Only now: one file that cannot be read must not hold up the others.
    if (unreadable !== undefined) throw unreadable
    return false
  }

  /** Removes what has been counted, made durable and kept long enough. */
  async removeOld(): Promise<void> {
    await removeOldSegments(this.#deps, this.#settings.folder, this.#settings.retentionUs)
  }

  async #nextBatch(segment: Segment, clicksMax: number): Promise<NextBatch | undefined> {
    const { files } = this.#deps
    // As they are now: the journal may announce more while this reads.
    const { header, path, closed, position: from, end: announced, endMax } = segment
    const size = await files.sizeOf(path).catch(whenMissing(0))
    if (Math.max(from, announced ?? 0) > size) return this.#leaveAlone(segment, size)
    // Not before `from`: another reader may be further than what this one was told of.
    const end = Math.max(from, announced ?? Math.min(size, endMax))
    if (from === end && !closed) return undefined
    const bytes = await files.read(path, from, Math.min(PIECE_BYTES, end - from))
    const isLast = closed && from + bytes.length === end
    const batch = readBatch({ bytes, offset: from, isLast }, clicksMax)
    const isEnd = closed && batch.position === end
    if (batch.position === from && !isEnd) return undefined
    await keepOddBytes(this.#deps, { folder: this.#settings.folder, segment: header.segment, path }, batch)
    return { batch, from, isEnd }
  }

  async #count(segment: Segment, { batch, from, isEnd }: NextBatch): Promise<void> {
    const { keepsRawClicks } = this.#settings
    try {
      await this.#ingest.count(batch, { segment: segment.header.segment, from, isEnd, keepsRawClicks })
    } catch (error) {
      // Whatever happened, the store knows how far it got: a lost answer to a commit is not a lost commit.
      await this.#reload(segment)
      if (error instanceof StalePosition) return
      throw error
    }
    segment.position = batch.position
    segment.clicks += batch.clicks.length
    segment.deadLetters += batch.deadLetters.length
    if (isEnd) this.#finish(segment, batch.sealedClicks)
  }

  #finish({ header, clicks, deadLetters }: Segment, sealedClicks = clicks + deadLetters): void {
    this.#forget(header.segment)
    const missing = sealedClicks - clicks - deadLetters
    if (missing === 0) return
    this.#deps.log.error('Clicks are missing from a journal segment.', { segment: header.segment, missing })
  }

  async #takeUpAnnounced(segment: string, path: string): Promise<void> {
    const header = this.#decodeHead(await this.#readHead(path), path)
    if (header === undefined) return this.#forget(segment)
    const counted = await this.#takeUp(header)
    // Only now: the journal may have said more in the meantime.
    const { position, closed } = this.#announced.get(segment)!
    this.#announced.delete(segment)
    this.#follow({ header, path, end: position, closed, endMax: Infinity }, counted)
  }

  /** Writes the segment down where it is new; tells how far it has been counted. */
  async #takeUp({ segment, node, previous, baseCount }: SegmentHeader): Promise<Counted> {
    await this.#deps.store.quickDb
      .insertInto('journal_segments')
      .values({
        segment,
        node,
        previous_segment: previous,
        base_count: baseCount,
        position: HEADER_BYTES,
        clicks: 0,
        dead_letters: 0,
        damaged_bytes: 0,
        finished_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return this.#counted(segment)
  }

  async #counted(segment: string): Promise<Counted> {
    const row = await this.#deps.store.quickDb
      .selectFrom('journal_segments')
      .select(['position', 'clicks', 'dead_letters', 'finished_at'])
      .where('segment', '=', segment)
      .executeTakeFirstOrThrow()
    const { position, clicks, dead_letters: deadLetters, finished_at: finishedAt } = row
    return { position, clicks, deadLetters, isFinished: finishedAt !== null }
  }

  #follow(found: FoundSegment, counted: Counted): void {
    if (counted.isFinished) this.#forget(found.header.segment)
    else this.#segments.set(found.header.segment, { ...found, ...counted })
  }

  async #reload(segment: Segment): Promise<void> {
    this.#follow(segment, await this.#counted(segment.header.segment))
  }

  #readHead(path: string): Promise<Buffer> {
    return this.#deps.files.read(path, 0, HEADER_BYTES).catch(whenMissing(Buffer.alloc(0)))
  }

  #decodeHead(head: Buffer, path: string): SegmentHeader | undefined {
    const header = decodeHeader(head)
    if (typeof header === 'object') return header
    if (!this.#alarmed.has(path)) {
      this.#alarmed.add(path)
      const why =
        header === 'newer' ? 'was written by a newer version and waits for it' : 'has no readable header'
      this.#deps.log.error(`A journal segment ${why}.`, { path })
    }
    return undefined
  }

  async #leaveAlone({ header, path, position, end }: Segment, bytes: number): Promise<undefined> {
    const { isFinished } = await this.#counted(header.segment)
    this.#forget(header.segment)
    // Another reader has counted it to its end since, and it was old enough to be removed.
    if (isFinished) return
    this.#deps.log.error('A journal segment is shorter than it was; it is left alone.', {
      path,
      bytes,
      bytesBefore: Math.max(position, end ?? 0),
    })
  }

  #forget(segment: string): void {
    this.#segments.delete(segment)
    this.#announced.delete(segment)
    this.#done.add(segment)
  }
}

const whenMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return value
  }
