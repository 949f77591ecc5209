import { join } from 'node:path'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Files } from '../journal/files.ts'
import { foldersOf } from '../journal/folder-id.ts'
import { Ingest, type IngestDeps, StalePosition } from './ingest.ts'
import type { JournalProgress } from '../journal/segment-sequence.ts'
import { saveUnreadable } from './save-unreadable.ts'
import { type FoundSegment, type NextBatch, readNextBatch } from './next-batch.ts'
import { removeOldSegments } from '../journal/remove-old-segments.ts'
import { knownSegments, reportMissingSegments } from '../repair/report-missing-segments.ts'
import { type SegmentState, registerSegment } from './segment-rows.ts'
import { SegmentHeaders } from '../journal/segment-headers.ts'
import { SEGMENT_SUFFIX, type SegmentHeader } from '../journal/segment.ts'

/** With half as many, each click costs a third more. */
const BATCH_CLICKS_MAX = 10_000

type ReaderDeps = IngestDeps & { files: Files; log: Log; metrics: ReaderMetrics }

type ReaderMetrics = Pick<
  Metrics,
  'clicksCounted' | 'deadLetters' | 'damagedBytes' | 'clicksMissing' | 'countedUntil'
>

type ReaderSettings = {
  folder: string
  /** The id of this run. Its segments are read only as far as the journal has announced them. */
  boot: string
  retentionUs: number
  hasExactTimes: boolean
}

/** A segment that is not finished yet, and how far it has been counted. */
type Segment = FoundSegment & SegmentState

/**
 * Follows the segments of the journal, those of earlier runs and the live one, and counts their clicks.
 *
 *   found ──▶ reading ──(closed, last byte counted)──▶ finished ──(retention over)──▶ trash ──(a day)──▶ deleted
 *              └──(newer format, missing, or shorter than what was counted)──▶ left alone, with an error in the log
 */
export class JournalReader {
  readonly #deps: ReaderDeps
  readonly #settings: ReaderSettings
  readonly #heads: SegmentHeaders
  #ingest: Ingest
  readonly #segments = new Map<string, Segment>()
  /** The latest progress of each segment of this run that is not registered yet. */
  readonly #announced = new Map<string, JournalProgress>()
  /** Segments that are left alone, or finished with what was counted of them. */
  readonly #done = new Map<string, SegmentState | undefined>()
  #settledClicks = 0

  constructor(deps: ReaderDeps, settings: ReaderSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#heads = new SegmentHeaders(deps)
    this.#ingest = new Ingest(deps)
  }

  /** Clicks of this run that are counted or known to be lost. */
  get settledClicks(): number {
    return this.#settledClicks
  }

  /** Clicks of earlier runs that are not counted yet. `journaled` is how many those runs journaled in total. */
  waitingOfEarlierRuns(journaled: number): number {
    const segments = [...this.#segments.values()].filter((segment) => !this.#isOfThisRun(segment))
    return segments.reduce((sum, { header, next, clicks, deadLetters }) => {
      const clicksInSegment = (next?.baseCount ?? journaled) - header.baseCount
      return sum + Math.max(0, clicksInSegment - clicks - deadLetters)
    }, 0)
  }

  /** Registers the segments of earlier runs as closed, so the caller must hold the lock of the journal (`lockJournal`). */
  async findSegments(): Promise<void> {
    const { files, store } = this.#deps
    const storedNames = await knownSegments(store, await foldersOf(files, this.#settings.folder))
    // A killed run may have left a file name that is not on the disk yet. If the store knew the segment first, a power
    // failure would make it look missing. If the disk refuses to sync, counting goes on.
    await this.#deps.files.syncFolder(this.#settings.folder).catch(() => {})
    const names = await this.#deps.files.list(this.#settings.folder)
    const segments: { header: SegmentHeader; path: string }[] = []
    for (const name of names.filter((each) => each.endsWith(SEGMENT_SUFFIX))) {
      const path = join(this.#settings.folder, name)
      const header = await this.#heads.find(path)
      if (header !== undefined) segments.push({ header, path })
    }
    const headers = segments.map(({ header }) => header)
    const missing = reportMissingSegments(this.#deps.log, storedNames, { names, headers })
    const followers = new Map(headers.map((header) => [header.previous, header]))
    for (const { header, path } of segments) {
      if (this.#isOfThisRun({ header })) continue
      const next = followers.get(header.segment)
      const progress = await registerSegment(this.#deps.store.clicksDb, header)
      this.#follow({ header, path, end: undefined, closed: true, next }, progress)
    }
    this.#deps.metrics.clicksMissing.add(missing)
  }

  /**
   * Counts finished segments again if the store went back in time: after a failover, the new primary may lack the last
   * commits.
   */
  async lookAgain(): Promise<void> {
    this.#ingest = new Ingest(this.#deps) // its caches may hold what the store has lost
    const { files } = this.#deps
    const names = await files.list(this.#settings.folder)
    for (const [segment, before] of this.#done) {
      const name = segment + SEGMENT_SUFFIX
      if (before === undefined || !names.includes(name)) continue
      const path = join(this.#settings.folder, name)
      const header = await this.#heads.find(path)
      if (header === undefined) continue
      const progress = await registerSegment(this.#deps.store.clicksDb, header)
      if (progress.isFinished) continue
      this.#deps.log.warn('The database went back in time; counting a segment again.', { segment })
      this.#done.delete(segment)
      this.#settle({ header }, difference(progress, before))
      this.#follow({ header, path, end: before.position, closed: true, next: undefined }, progress)
    }
  }

  /** Records how far the journal of this run has written. Call it in the order of the journal's reports. */
  async noteProgress(progress: JournalProgress): Promise<void> {
    const segment = this.#segments.get(progress.segment)
    if (segment !== undefined) Object.assign(segment, { end: progress.position, closed: progress.closed })
    else if (!this.#done.has(progress.segment)) this.#announced.set(progress.segment, progress)
  }

  /** Counts one batch. False if there is nothing to count now. */
  async countSome(clicksMax = BATCH_CLICKS_MAX): Promise<boolean> {
    for (const { segment, path } of this.#announced.values()) await this.#registerAnnounced(segment, path)
    let unreadable: unknown
    for (const segment of this.#segments.values()) {
      const next = await this.#nextBatch(segment, clicksMax).catch((error) => void (unreadable ??= error))
      if (next === undefined) continue
      await this.#count(segment, next)
      return true
    }
    // Thrown only now: a file that cannot be read must not hold up the others.
    if (unreadable !== undefined) throw unreadable
    return false
  }

  /** Removes segments that are counted, durable and past retention. */
  async removeOld(): Promise<void> {
    await removeOldSegments(this.#deps, this.#settings.folder, this.#settings.retentionUs)
  }

  async #nextBatch(segment: Segment, clicksMax: number): Promise<NextBatch | undefined> {
    const next = await readNextBatch(this.#deps, segment, clicksMax)
    if (next === undefined) return undefined
    if ('shorterBytes' in next) return this.#leaveAlone(segment, next.shorterBytes)
    const { header, path } = segment
    const source = { folder: this.#settings.folder, segment: header.segment, path }
    await saveUnreadable(this.#deps, source, next.batch)
    return next
  }

  async #count(segment: Segment, { batch, from, isEnd }: NextBatch): Promise<void> {
    const { hasExactTimes } = this.#settings
    try {
      await this.#ingest.count(batch, { segment: segment.header.segment, from, isEnd, hasExactTimes })
    } catch (error) {
      // Only the store knows how far it got: the commit may have succeeded although its answer was lost.
      await this.#reload(segment)
      if (error instanceof StalePosition) return
      throw error
    }
    const { clicks, deadLetters, damagedBytes, position } = batch
    this.#settle(segment, { clicks: clicks.length, deadLetters: deadLetters.length })
    segment.position = position
    segment.clicks += clicks.length
    segment.deadLetters += deadLetters.length
    this.#deps.metrics.damagedBytes.add(damagedBytes)
    if (clicks.length > 0) this.#deps.metrics.countedUntil.set(clicks.at(-1)!.clickedAtUs)
    if (isEnd) this.#finish(segment, batch.sealedClicks)
  }

  #settle(
    segment: { header: SegmentHeader },
    { clicks, deadLetters }: Pick<SegmentState, 'clicks' | 'deadLetters'>,
  ): void {
    this.#deps.metrics.clicksCounted.add(clicks)
    this.#deps.metrics.deadLetters.add(deadLetters)
    if (this.#isOfThisRun(segment)) this.#settledClicks += clicks + deadLetters
  }

  #finish(segment: Segment, sealedClicks = segment.clicks + segment.deadLetters): void {
    const { header, clicks, deadLetters } = segment
    this.#forget(header.segment, segment)
    const missing = sealedClicks - clicks - deadLetters
    if (missing === 0) return
    this.#deps.metrics.clicksMissing.add(missing)
    if (this.#isOfThisRun(segment)) this.#settledClicks += missing
    this.#deps.log.error('Clicks are missing from a journal segment.', { segment: header.segment, missing })
  }

  async #registerAnnounced(segment: string, path: string): Promise<void> {
    const header = await this.#heads.read(path)
    if (header === undefined) return this.#forget(segment)
    const progress = await registerSegment(this.#deps.store.clicksDb, header)
    // Read after the await: the journal may have reported more since.
    const { position, closed } = this.#announced.get(segment)!
    this.#announced.delete(segment)
    this.#follow({ header, path, end: position, closed, next: undefined }, progress)
  }

  #follow(found: FoundSegment, counted: SegmentState): void {
    if (counted.isFinished) this.#forget(found.header.segment, counted)
    else this.#segments.set(found.header.segment, { ...found, ...counted })
  }

  async #reload(segment: Segment): Promise<void> {
    // After a failover the new primary may not know the segment.
    const progress = await registerSegment(this.#deps.store.clicksDb, segment.header)
    this.#settle(segment, difference(progress, segment))
    this.#follow(segment, progress)
  }

  async #leaveAlone({ header, path, position, end }: Segment, bytes: number): Promise<undefined> {
    const { isFinished } = await registerSegment(this.#deps.store.clicksDb, header)
    this.#forget(header.segment)
    // Another reader has counted it to its end and removed it.
    if (isFinished) return
    this.#deps.log.error('A journal segment is shorter than before; skipping it.', {
      path,
      bytes,
      bytesBefore: Math.max(position, end ?? 0),
    })
  }

  #isOfThisRun({ header }: { header: SegmentHeader }): boolean {
    return header.boot === this.#settings.boot
  }

  #forget(segment: string, counted?: SegmentState): void {
    this.#segments.delete(segment)
    this.#announced.delete(segment)
    this.#done.set(segment, counted)
  }
}

const difference = (now: SegmentState, before: SegmentState) => ({
  clicks: now.clicks - before.clicks,
  deadLetters: now.deadLetters - before.deadLetters,
})
