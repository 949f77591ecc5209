import type { Clock } from '../clock.ts'
import type { Db, Store } from '../store/open-store.ts'
import { type RowTarget, writeRows } from '../store/write-rows.ts'
import { type Audience, AudienceIds, audienceKey, BOT_AUDIENCE_ID } from './audiences.ts'
import type { Click } from './click.ts'
import { addUp, type ReadClick, writeRollup } from './rollups.ts'
import { noteVisitors } from './seen-visitors.ts'
import type { SegmentBatch } from './read-segment.ts'

/** Different clicks, but for who clicked and when, that are remembered with what they mean. */
const REMEMBERED_MAX = 20_000

/** What the User-Agent says about who opened the link. */
export type ReadUserAgent = (userAgent: string) => Omit<Audience, 'country' | 'referrer'> & { isBot: boolean }

export type IngestDeps = { store: Pick<Store, 'db' | 'quickDb'>; clock: Clock; readUserAgent: ReadUserAgent }

/** The position was moved by somebody else: another ingester, or a commit whose answer was lost. Read it again. */
export class StalePosition extends Error {}

/** Where a batch comes from, and what is to be stored with it. */
export type BatchOrigin = { segment: string; from: number; isEnd: boolean; keepsRawClicks: boolean }

/**
 * Moves batches from the journal into the counters. The counters and the segment's position change in one transaction,
 * and the position only from the value that the batch began at: a batch counts once, however often it is tried.
 */
export class Ingest {
  readonly #deps: IngestDeps
  readonly #audienceIds = new AudienceIds()
  readonly #remembered = new Map<string, Pick<ReadClick, 'audience' | 'isBot'>>()
  readonly #audiences = new Map<string, Audience>()

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  async count(batch: SegmentBatch, origin: BatchOrigin): Promise<void> {
    const readClicks = batch.clicks.map((click) => this.#read(click))
    const people = readClicks.filter(({ isBot }) => !isBot)
    const audiences = new Map(
      [...new Set(people.map(({ audience }) => audience))].map((one) => [audienceKey(one), one]),
    )
    const ids = await this.#deps.store.quickDb.transaction().execute(async (tx) => {
      await this.#movePosition(tx, batch, origin)
      const ids = await this.#audienceIds.find(tx, audiences)
      const visitors = await noteVisitors(
        tx,
        people.map(({ click }) => click),
      )
      await writeRollup(tx, addUp(readClicks, ids, visitors))
      if (origin.keepsRawClicks) await writeRawClicks(tx, readClicks, ids)
      return ids
    })
    this.#audienceIds.remember(ids)
  }

  /** One look-up for most clicks, and one object for each audience, so that counting can tell them by identity. */
  #read(click: Click): ReadClick {
    const facts = `${click.country}\n${click.referrer}\n${click.userAgent}`
    let known = this.#remembered.get(facts)
    if (known === undefined) {
      if (this.#remembered.size >= REMEMBERED_MAX) this.#forget()
      const { isBot, device, browser, os } = this.#deps.readUserAgent(click.userAgent)
      const audience = { country: click.country, device, browser, os, referrer: click.referrer }
      const key = audienceKey(audience)
      known = { isBot, audience: this.#audiences.get(key) ?? audience }
      this.#audiences.set(key, known.audience)
      this.#remembered.set(facts, known)
    }
    return { click, ...known }
  }

  #forget(): void {
    this.#remembered.clear()
    this.#audiences.clear()
  }

  async #movePosition(tx: Db, batch: SegmentBatch, { segment, from, isEnd }: BatchOrigin): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('journal_segments')
      .set((eb) => ({
        position: batch.position,
        clicks: eb('clicks', '+', batch.clicks.length),
        dead_letters: eb('dead_letters', '+', batch.deadLetters.length),
        damaged_bytes: eb('damaged_bytes', '+', batch.damagedBytes + batch.tornBytes),
        ...(isEnd ? { finished_at: this.#deps.clock.nowUs() } : {}),
      }))
      .where('segment', '=', segment)
      .where('position', '=', from)
      .where('finished_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw new StalePosition(`Segment ${segment} is no longer at ${from}.`)
  }
}

const RAW_CLICKS: RowTarget = {
  table: 'clicks',
  columns: ['link_id', 'account_id', 'clicked_at', 'audience_id', 'visitor', 'is_bot'],
}

async function writeRawClicks(
  tx: Db,
  clicks: ReadClick[],
  audienceIds: ReadonlyMap<string, number>,
): Promise<void> {
  const idOf = new Map<Audience, number>()
  const rows = clicks.map(({ click, audience, isBot }) => {
    let id = isBot ? BOT_AUDIENCE_ID : idOf.get(audience)
    if (id === undefined) idOf.set(audience, (id = audienceIds.get(audienceKey(audience))!))
    return [click.linkId, click.accountId, click.clickedAtUs, id, click.visitor || null, isBot ? 1 : 0]
  })
  await writeRows(tx, RAW_CLICKS, rows)
}
