import { type Clock, dayOf } from '../clock.ts'
import type { Db, Store } from '../store/open-store.ts'
import { prepareClickDays, type RowTarget, writeRows } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'
import { type Audience, Audiences, BOT_AUDIENCE_ID } from './audiences.ts'
import type { Click } from './click.ts'
import { forgetLateSums } from './link-days.ts'
import { AudienceBounds } from './bound-audiences.ts'
import { OTHER_REFERRER } from './link-referrers.ts'
import { addUp, type ReadClick, writeHours, writeLinkTotals } from './rollups.ts'
import { noteVisitors } from './seen-visitors.ts'
import type { SegmentBatch } from './read-segment.ts'

/** What the User-Agent says about who opened the link. */
export type ReadUserAgent = (userAgent: string) => Omit<Audience, 'country' | 'referrer'> & { isBot: boolean }

export type IngestDeps = { store: Pick<Store, 'db' | 'clicksDb'>; clock: Clock; readUserAgent: ReadUserAgent }

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
  readonly #audiences = new Audiences()
  readonly #bounds = new AudienceBounds(this.#audiences)
  /** UTC days that single clicks can be written for. */
  readonly #preparedDays = new Set<number>()

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  async count(batch: SegmentBatch, origin: BatchOrigin): Promise<void> {
    const readClicks = batch.clicks.map((click) => ({ click, audience: this.#audienceOf(click) }))
    const people = readClicks.filter(({ audience }) => audience !== undefined)
    if (origin.keepsRawClicks) await this.#prepareDays(batch.clicks)
    const counted = transact(this.#deps.store.clicksDb, async (tx) => {
      await this.#movePosition(tx, batch, origin)
      const firstVisits = await noteVisitors(
        tx,
        people.map(({ click }) => click),
      )
      const all = addUp(readClicks, firstVisits)
      const totals = await writeLinkTotals(tx, all)
      const bounded = await this.#bounds.hold(tx, readClicks, totals)
      const rollup = bounded === readClicks ? all : addUp(bounded, firstVisits)
      const ids = await this.#audiences.find(tx, audiencesOf(bounded))
      // The counters of an account come last: whoever counts clicks of the same account waits from there on.
      if (origin.keepsRawClicks) await writeRawClicks(tx, bounded, ids)
      await writeHours(tx, rollup, ids)
      await forgetLateSums(tx, rollup.linkHours)
    })
    await counted.catch((error) => {
      this.#preparedDays.clear() // one may have been removed
      // Another server may have taken over, without the last commits.
      this.#audiences.forget()
      this.#bounds.forget()
      throw error
    })
    this.#audiences.remember()
    this.#bounds.remember()
    this.#audiences.forgetSome()
  }

  async #prepareDays(clicks: readonly Click[]): Promise<void> {
    const days = new Set(clicks.map(({ clickedAtUs }) => dayOf(clickedAtUs)))
    const missing = [...days].filter((day) => !this.#preparedDays.has(day))
    if (missing.length === 0) return
    await prepareClickDays(this.#deps.store.clicksDb, missing)
    for (const day of missing) this.#preparedDays.add(day)
  }

  #audienceOf({ userAgent, country, referrer: host }: Click): Audience | undefined {
    const { isBot, device, browser, os } = this.#deps.readUserAgent(userAgent)
    // No site has this name, which is kept for those beyond the bound.
    const referrer = host === OTHER_REFERRER ? '' : host
    return isBot ? undefined : this.#audiences.of({ country, device, browser, os, referrer })
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

function audiencesOf(clicks: readonly ReadClick[]): Set<Audience> {
  const audiences = new Set(clicks.map(({ audience }) => audience))
  audiences.delete(undefined)
  return audiences as Set<Audience>
}

const RAW_CLICKS: RowTarget = {
  table: 'clicks',
  columns: ['link_id', 'account_id', 'clicked_at', 'audience_id', 'visitor', 'is_bot'],
}

async function writeRawClicks(
  tx: Db,
  clicks: readonly ReadClick[],
  audienceIds: ReadonlyMap<Audience, number>,
): Promise<void> {
  const rows = clicks.map(({ click, audience }) => {
    const { linkId, accountId, clickedAtUs, visitor } = click
    const isBot = audience === undefined
    const audienceId = isBot ? BOT_AUDIENCE_ID : audienceIds.get(audience)
    return [linkId, accountId, clickedAtUs, audienceId, visitor || null, isBot ? 1 : 0]
  })
  await writeRows(tx, RAW_CLICKS, rows)
}
