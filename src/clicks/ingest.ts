import type { Clock } from '../clock.ts'
import type { Db, Store } from '../store/open-store.ts'
import { type Audience, AudienceIds, audienceKey, BOT_AUDIENCE_ID } from './audiences.ts'
import type { Click } from './click.ts'
import { addUp, type ReadClick, writeRollup } from './rollups.ts'
import { noteVisitors } from './seen-visitors.ts'
import type { SegmentBatch } from './read-segment.ts'

const ROWS_PER_STATEMENT = 1000

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

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  async count(batch: SegmentBatch, origin: BatchOrigin): Promise<void> {
    const readClicks = batch.clicks.map((click) => this.#read(click))
    const audiences = new Map<string, Audience>()
    for (const { audience, isBot } of readClicks) if (!isBot) audiences.set(audienceKey(audience), audience)
    const ids = await this.#deps.store.quickDb.transaction().execute(async (tx) => {
      await this.#movePosition(tx, batch, origin)
      const ids = await this.#audienceIds.find(tx, audiences)
      const people = readClicks.filter(({ isBot }) => !isBot).map(({ click }) => click)
      await writeRollup(tx, addUp(readClicks, ids, await noteVisitors(tx, people)))
      if (origin.keepsRawClicks) await writeRawClicks(tx, readClicks, ids)
      return ids
    })
    this.#audienceIds.remember(ids)
  }

  #read(click: Click): ReadClick {
    const { isBot, device, browser, os } = this.#deps.readUserAgent(click.userAgent)
    return {
      click,
      isBot,
      audience: { country: click.country, device, browser, os, referrer: click.referrer },
    }
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

async function writeRawClicks(
  tx: Db,
  clicks: ReadClick[],
  audienceIds: ReadonlyMap<string, number>,
): Promise<void> {
  for (let from = 0; from < clicks.length; from += ROWS_PER_STATEMENT) {
    const rows = clicks.slice(from, from + ROWS_PER_STATEMENT).map(({ click, audience, isBot }) => ({
      link_id: click.linkId,
      account_id: click.accountId,
      clicked_at: click.clickedAtUs,
      audience_id: isBot ? BOT_AUDIENCE_ID : audienceIds.get(audienceKey(audience))!,
      visitor: click.visitor === 0 ? null : click.visitor,
      is_bot: isBot ? 1 : 0,
    }))
    await tx.insertInto('clicks').values(rows).execute()
  }
}
