import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Files } from './files.ts'
import { foldersOf } from './folder-id.ts'
import { Ingest, type IngestDeps, StalePosition } from './ingest.ts'
import type { JournalProgress } from './journal.ts'
import { keepOddBytes } from './keep-odd-bytes.ts'
import { type FoundSegment, type NextBatch, readNextBatch } from './next-batch.ts'
import { removeOldSegments } from './remove-old-segments.ts'
import { knownSegments, reportGoneSegments } from './report-gone-segments.ts'
import { type Counted, takeUpSegment } from './segment-rows.ts'
import { SegmentHeads } from './segment-heads.ts'
import { SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'

/** Half as many would cost a third more each. */
const BATCH_CLICKS_MAX = 10_000

type ReaderDeps = IngestDeps & { files: Files; log: Log; metrics: ReaderMetrics }

export type ReaderMetrics = Pick<
  Metrics,
  'clicksCounted' | 'deadLetters' | 'damagedBytes' | 'clicksMissing' | 'countedUntil'
>

type ReaderSettings = {
  folder: string
  /** This run of the program: its own segments are read only as far as the journal has announced them. */
  boot: string
  retentionUs: number
  /** False: only counters, no single clicks. */
  keepsRawClicks: boolean
}

/** A segment that is not finished yet, and how far it has been counted. */
type Segment = FoundSegment & Counted

/**
 * Follows the journal's segments, those of earlier runs and the live one, and hands their clicks to the counters.
 *
 *   found ──▶ reading ──(closed, last byte counted)──▶ finished ──(retention over)──▶ trash ──(a day)──▶ gone
 *              └──(newer format, gone, or shorter than what was counted)──▶ left alone, with an alarm in the log
 */
export class JournalReader {
  readonly #deps: ReaderDeps
  readonly #settings: ReaderSettings
  readonly #heads: SegmentHeads
  #ingest: Ingest
  readonly #segments = new Map<string, Segment>()
  /** The last word about each segment of this run that has not been taken up yet. */
  readonly #announced = new Map<string, JournalProgress>()
  /** Left alone, or finished, with what was counted of them then: nothing more is done about them. */
  readonly #done = new Map<string, Counted | undefined>()
  #settledClicks = 0

  constructor(deps: ReaderDeps, settings: ReaderSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#heads = new SegmentHeads(deps)
    this.#ingest = new Ingest(deps)
  }

  /** Clicks of this run that need no more counting: they are counted, or known to be lost. */
  get settledClicks(): number {
    return this.#settledClicks
  }

  /** Clicks of earlier runs that are still to be counted, of the `journaled` that those have journaled in all. */
  waitingOfEarlierRuns(journaled: number): number {
    const segments = [...this.#segments.values()].filter((segment) => !this.#isOfThisRun(segment))
    return segments.reduce((sum, { header, next, clicks, deadLetters }) => {
      const held = (next?.baseCount ?? journaled) - header.baseCount
      return sum + Math.max(0, held - clicks - deadLetters)
    }, 0)
  }

  /** Takes up what earlier runs have left, as closed: whoever calls this holds the journal's lock (`lockJournal`). */
  async findSegments(): Promise<void> {
    const { files, store } = this.#deps
    const known = await knownSegments(store, await foldersOf(files, this.#settings.folder))
    // A killed run may have left a name that the disk does not have yet. Were the store to know of it first, it would
    // miss that segment after a power failure. A disk that refuses is no reason not to count.
    await this.#deps.files.syncFolder(this.#settings.folder).catch(() => {})
    const names = await this.#deps.files.list(this.#settings.folder)
    const found: { header: SegmentHeader; path: string }[] = []
    for (const name of names.filter((each) => each.endsWith(SEGMENT_SUFFIX))) {
      const path = join(this.#settings.folder, name)
      const header = await this.#heads.find(path)
      if (header !== undefined) found.push({ header, path })
    }
    const headers = found.map(({ header }) => header)
    const missing = reportGoneSegments(this.#deps.log, known, { names, headers })
    const followers = new Map(headers.map((header) => [header.previous, header]))
    for (const { header, path } of found) {
      if (this.#isOfThisRun({ header })) continue
      const next = followers.get(header.segment)
      const counted = await takeUpSegment(this.#deps.store.clicksDb, header)
      this.#follow({ header, path, end: undefined, closed: true, next }, counted)
    }
    this.#deps.metrics.clicksMissing.add(missing)
  }

  /**
   * Takes up again what was finished, should the store have gone back behind that: another server may have taken over
   * that lacks the last commits of the one before.
   */
  async lookAgain(): Promise<void> {
    this.#ingest = new Ingest(this.#deps) // what the one before remembers may be lost
    const { files } = this.#deps
    const names = await files.list(this.#settings.folder)
    for (const [segment, before] of this.#done) {
      const name = segment + SEGMENT_SUFFIX
      if (before === undefined || !names.includes(name)) continue
      const path = join(this.#settings.folder, name)
      const header = await this.#heads.find(path)
      if (header === undefined) continue
      const counted = await takeUpSegment(this.#deps.store.clicksDb, header)
      if (counted.isFinished) continue
      this.#deps.log.warn('The database went back in time; counting a segment again.', { segment })
      this.#done.delete(segment)
      this.#settle({ header }, difference(counted, before))
      this.#follow({ header, path, end: before.position, closed: true, next: undefined }, counted)
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
    const next = await readNextBatch(this.#deps, segment, clicksMax)
    if (next === undefined) return undefined
    if ('shorterBytes' in next) return this.#leaveAlone(segment, next.shorterBytes)
    const { header, path } = segment
    const source = { folder: this.#settings.folder, segment: header.segment, path }
    await keepOddBytes(this.#deps, source, next.batch)
    return next
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
    { clicks, deadLetters }: Pick<Counted, 'clicks' | 'deadLetters'>,
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

  async #takeUpAnnounced(segment: string, path: string): Promise<void> {
    const header = await this.#heads.read(path)
    if (header === undefined) return this.#forget(segment)
    const counted = await takeUpSegment(this.#deps.store.clicksDb, header)
    // Only now: the journal may have said more in the meantime.
    const { position, closed } = this.#announced.get(segment)!
    this.#announced.delete(segment)
    this.#follow({ header, path, end: position, closed, next: undefined }, counted)
  }

  #follow(found: FoundSegment, counted: Counted): void {
    if (counted.isFinished) this.#forget(found.header.segment, counted)
    else this.#segments.set(found.header.segment, { ...found, ...counted })
  }

  async #reload(segment: Segment): Promise<void> {
    // Another server may have taken over that has never heard of the segment.
    const counted = await takeUpSegment(this.#deps.store.clicksDb, segment.header)
    this.#settle(segment, difference(counted, segment))
    this.#follow(segment, counted)
  }

  async #leaveAlone({ header, path, position, end }: Segment, bytes: number): Promise<undefined> {
    const { isFinished } = await takeUpSegment(this.#deps.store.clicksDb, header)
    this.#forget(header.segment)
    // Another reader has counted it to its end since, and it was old enough to be removed.
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

  #forget(segment: string, counted?: Counted): void {
    this.#segments.delete(segment)
    this.#announced.delete(segment)
    this.#done.set(segment, counted)
  }
}

const difference = (now: Counted, before: Counted) => ({
  clicks: now.clicks - before.clicks,
  deadLetters: now.deadLetters - before.deadLetters,
})
