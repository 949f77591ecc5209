import { join } from 'node:path'
import { DAY_US } from '../clock.ts'
import { describeError, type Log } from '../log.ts'
import type { Files } from './files.ts'
import { Ingest, type IngestDeps, StalePosition } from './ingest.ts'
import type { JournalProgress } from './journal.ts'
import { readBatch, type SegmentBatch } from './read-segment.ts'
import { decodeHeader, HEADER_BYTES, SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'

const BATCH_CLICKS_MAX = 5_000
const PIECE_BYTES = 2 * 1024 * 1024
const TRASH_KEEP_US = DAY_US

type ReaderDeps = IngestDeps & { files: Files; log: Log }

type ReaderSettings = {
  folder: string
  /** This run of the program: its own segments are read only as far as the journal has announced them. */
  boot: string
  retentionUs: number
  /** False: only counters, no single clicks. */
  keepsRawClicks: boolean
}

/** A segment that is not finished yet. */
type Segment = {
  header: SegmentHeader
  path: string
  position: number
  clicks: number
  /** Where its acknowledged bytes end; undefined: at the end of the file. */
  end: number | undefined
  closed: boolean
  /** How many clicks the segment after it says that it has; more are leftovers of a write that was repeated there. */
  clicksMax: number
}

/**
 * Follows the journal's segments, those of earlier runs and the live one, and hands their clicks to the counters.
 *
 *   found ──▶ reading ──(closed, last byte counted)──▶ finished ──(retention over)──▶ trash ──(a day)──▶ gone
 *              └──(newer format, or behind its own position)──▶ left alone, with an alarm in the log
 */
export class JournalReader {
  readonly #deps: ReaderDeps
  readonly #settings: ReaderSettings
  readonly #ingest: Ingest
  readonly #segments = new Map<string, Segment>()
  readonly #alarmed = new Set<string>()
  readonly #done = new Set<string>()

  constructor(deps: ReaderDeps, settings: ReaderSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#ingest = new Ingest(deps)
  }

  /** Takes up what earlier runs have left. */
  async findSegments(): Promise<void> {
    const found: { header: SegmentHeader; path: string }[] = []
    for (const name of await this.#deps.files.list(this.#settings.folder)) {
      if (!name.endsWith(SEGMENT_SUFFIX)) continue
      const path = join(this.#settings.folder, name)
      const header = await this.#readHeader(path)
      if (header !== undefined) found.push({ header, path })
    }
    const baseAfter = new Map(found.map(({ header }) => [header.previous, header.baseCount]))
    for (const { header, path } of found) {
      if (header.boot === this.#settings.boot) continue
      const clicksMax = (baseAfter.get(header.segment) ?? Infinity) - header.baseCount
      await this.#takeUp({ header, path, end: undefined, closed: true, clicksMax })
    }
  }

  /** What the journal of this run says about its segment. */
  async hear({ segment, path, position, closed }: JournalProgress): Promise<void> {
    const known = this.#segments.get(segment)
    if (known !== undefined)
      return void Object.assign(known, { end: position, closed: known.closed || closed })
    if (this.#done.has(segment)) return
    const header = await this.#readHeader(path)
    if (header !== undefined) await this.#takeUp({ header, path, end: position, closed, clicksMax: Infinity })
  }

  /** Counts one batch. False when there is nothing to count now. */
  async countSome(): Promise<boolean> {
    for (const segment of this.#segments.values()) {
      try {
        if (await this.#countFrom(segment)) return true
      } catch (error) {
        // Whatever happened, the store knows how far it got: a lost answer to a commit is not a lost commit.
        await this.#reload(segment)
        if (!(error instanceof StalePosition)) throw error
      }
    }
    return false
  }

  /** Removes what has been counted, made durable and kept long enough. */
  async removeOld(): Promise<void> {
    const { store, clock, files } = this.#deps
    const trash = join(this.#settings.folder, 'trash')
    await files.makeFolder(trash)
    const before = clock.nowUs() - this.#settings.retentionUs
    const rows = await store.db
      .selectFrom('journal_segments')
      .select('segment')
      .where('finished_at', '<', before)
      .execute()
    const finished = new Set(rows.map((row) => row.segment + SEGMENT_SUFFIX))
    const segments = (await files.list(this.#settings.folder)).filter((name) => name.endsWith(SEGMENT_SUFFIX))
    // The newest one stays: the next run reads from it how many clicks the folder has journaled.
    const old = segments.slice(0, -1).filter((name) => finished.has(name))
    if (old.length > 0) await this.#makeDurable()
    for (const name of old)
      await files.rename(join(this.#settings.folder, name), join(trash, `${clock.nowUs()}-${name}`))
    if (old.length > 0) await files.syncFolder(this.#settings.folder)
    for (const name of await files.list(trash)) {
      if (Number(name.split('-')[0]) < clock.nowUs() - TRASH_KEEP_US) await files.unlink(join(trash, name))
    }
  }

  /** A commit that waits for the disk takes all commits before it along: the counters that these segments went into. */
  async #makeDurable(): Promise<void> {
    await this.#deps.store.db
      .updateTable('journal_segments')
      .set((eb) => ({ finished_at: eb.ref('finished_at') }))
      .where('finished_at', 'is not', null)
      .execute()
  }

  async #countFrom(segment: Segment): Promise<boolean> {
    const end = segment.end ?? (await this.#deps.files.sizeOf(segment.path))
    if (segment.position > end)
      return this.#leaveAlone(segment, `holds ${end} bytes but ${segment.position} were counted`)
    if (segment.position === end && !segment.closed) return false
    const length = Math.min(PIECE_BYTES, end - segment.position)
    const bytes = await this.#deps.files.read(segment.path, segment.position, length)
    const isLast = segment.closed && segment.position + bytes.length === end
    const batch = readBatch({ bytes, offset: segment.position, isLast }, BATCH_CLICKS_MAX)
    batch.clicks.splice(segment.clicksMax - segment.clicks)
    const isEnd = segment.closed && batch.position === end
    if (batch.position === segment.position && !isEnd) return false
    await this.#keepOddBytes(segment, batch)
    const from = segment.position
    await this.#ingest.count(batch, {
      segment: segment.header.segment,
      from,
      isEnd,
      keepsRawClicks: this.#settings.keepsRawClicks,
    })
    segment.position = batch.position
    segment.clicks += batch.clicks.length
    if (isEnd) this.#finish(segment, batch.sealedClicks)
    return true
  }

  #finish(segment: Segment, sealedClicks: number | undefined): void {
    const { header, clicks } = segment
    this.#segments.delete(header.segment)
    this.#done.add(header.segment)
    if (sealedClicks === undefined || sealedClicks === clicks) return
    this.#deps.log.error('Clicks are missing from a journal segment.', {
      segment: header.segment,
      missing: sealedClicks - clicks,
    })
  }

  /** Written before the position moves and under a name of their own, so trying again writes the same file again. */
  async #keepOddBytes(segment: Segment, batch: SegmentBatch): Promise<void> {
    const { files, log } = this.#deps
    const { folder } = this.#settings
    const id = segment.header.segment
    if (batch.deadLetters.length > 0) {
      await files.makeFolder(join(folder, 'dead-letters'))
      for (const { offset, payload } of batch.deadLetters) {
        await files.replace(join(folder, 'dead-letters', `${id}-${offset}`), payload)
      }
      log.error('The journal holds records that this version does not understand.', {
        segment: id,
        records: batch.deadLetters.length,
      })
    }
    if (batch.damagedBytes > 0) {
      await files.makeFolder(join(folder, 'quarantine'))
      await files.copy(segment.path, join(folder, 'quarantine', id + SEGMENT_SUFFIX))
      log.error('A journal segment is damaged; a copy is in quarantine.', {
        segment: id,
        bytes: batch.damagedBytes,
      })
    }
    if (batch.tornBytes > 0) {
      log.info('A journal segment ended in the middle of a record.', { segment: id, bytes: batch.tornBytes })
    }
  }

  async #takeUp(found: Omit<Segment, 'position' | 'clicks'>): Promise<void> {
    const { segment, node, previous, baseCount } = found.header
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
    const taken: Segment = { ...found, position: HEADER_BYTES, clicks: 0 }
    this.#segments.set(segment, taken)
    await this.#reload(taken)
  }

  async #reload(segment: Segment): Promise<void> {
    const row = await this.#deps.store.quickDb
      .selectFrom('journal_segments')
      .select(['position', 'clicks', 'finished_at'])
      .where('segment', '=', segment.header.segment)
      .executeTakeFirstOrThrow()
    segment.position = row.position
    segment.clicks = row.clicks
    if (row.finished_at !== null) this.#finish(segment, undefined)
  }

  async #readHeader(path: string): Promise<SegmentHeader | undefined> {
    const header = decodeHeader(await this.#deps.files.read(path, 0, HEADER_BYTES))
    if (typeof header === 'object') return header
    if (!this.#alarmed.has(path)) {
      this.#alarmed.add(path)
      const why =
        header === 'newer' ? 'was written by a newer version and waits for it' : 'has no readable header'
      this.#deps.log.error(`A journal segment ${why}.`, { path })
    }
    return undefined
  }

  #leaveAlone(segment: Segment, why: string): false {
    this.#segments.delete(segment.header.segment)
    this.#deps.log.error(`A journal segment ${why}; it is left alone.`, {
      segment: segment.header.segment,
      error: describeError(why).error,
    })
    return false
  }
}
