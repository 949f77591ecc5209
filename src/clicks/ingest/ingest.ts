import { sql } from 'kysely'
import type { Clock } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'
import type { Store } from '../../store/open-store.ts'
import { transact } from '../../store/transact.ts'
import { OTHER_VALUE, ValueBounds } from '../counters/bound-values.ts'
import { addUp } from '../counters/rollups.ts'
import { recordVisitors } from '../counters/seen-visitors.ts'
import { writeLinkTotals, writeWorkspaceHours, writeWorkspaceTotals } from '../counters/write-counters.ts'
import type { ClickDimensions } from '../../store/click-dimensions.ts'
import { FactMonths, type ReadClick, writeFacts } from '../facts/write-facts.ts'
import type { Click } from '../journal/click.ts'
import type { SegmentBatch } from '../journal/read-segment.ts'
import { BOT_NAMES } from '../visitor/known-clients.ts'
import { spendClicksBeforeLimits } from './clicks-before-limits.ts'

/** What the User-Agent says about the client. */
export type ReadUserAgent = (
  userAgent: string,
) => Pick<ClickDimensions, 'device' | 'browser' | 'os'> & { isBot: boolean }

export type IngestDeps = { store: Pick<Store, 'db' | 'clicksDb'>; clock: Clock; readUserAgent: ReadUserAgent }

/** The position has moved: by another ingester, or by a commit whose answer was lost. Read it again. */
export class StalePosition extends Error {}

/** Where a batch comes from, and whether its clicks are stored with their exact times. */
export type BatchOrigin = { segment: string; from: number; isEnd: boolean; hasExactTimes: boolean }

/**
 * Moves batches from the journal into the store: a row for each click, and the kept counters. They and the segment's position
 * change in one transaction, and the position only from the value at which the batch began: a batch counts once, however often it
 * is tried.
 */
export class Ingest {
  readonly #deps: IngestDeps
  readonly #bounds = new ValueBounds()
  readonly #months = new FactMonths()

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  async count(batch: SegmentBatch, origin: BatchOrigin): Promise<void> {
    const { clicksDb } = this.#deps.store
    const readClicks = batch.clicks.map((click) => this.#read(click))
    await this.#months.prepare(clicksDb, batch.clicks)
    const transaction = transact(clicksDb, async (tx) => {
      await this.#movePosition(tx, batch, origin)
      await this.#write(tx, readClicks, origin)
    })
    await transaction.catch((error) => {
      // After a failover the new primary may lack the last commits.
      this.#months.forget()
      this.#bounds.forget()
      throw error
    })
    this.#bounds.remember()
  }

  async #write(tx: Tx, clicks: readonly ReadClick[], { hasExactTimes }: BatchOrigin): Promise<void> {
    const firstVisits = await recordVisitors(tx, clicks)
    const rollup = addUp(clicks, firstVisits)
    await writeLinkTotals(tx, rollup)
    await spendClicksBeforeLimits(tx, clicks)
    await writeFacts(tx, clicks, { firstVisits, hasExactTimes })
    // The counters of a workspace come last, because other nodes that count clicks of it wait from there on.
    const totals = await writeWorkspaceTotals(tx, rollup)
    await writeWorkspaceHours(tx, await this.#bounds.apply(tx, rollup.workspaceHours, totals))
  }

  #read(click: Click): ReadClick {
    const { userAgent, country, referrer: host, extras } = click
    const { isBot, device, browser, os } = this.#deps.readUserAgent(userAgent)
    if (isBot) return { click, dimensions: undefined, botName: BOT_NAMES.has(browser) ? browser : '' }
    // The name is reserved for referrers beyond the bound.
    const referrer = host === OTHER_VALUE ? '' : host
    const { language = '', via = 'link', variant = '', alias = '', utm = '' } = extras ?? {}
    const { region = '', name: city = '' } = extras?.city ?? {}
    const place = { country, region, city }
    const dimensions = { ...place, device, browser, os, referrer, language, via, variant, alias, utm }
    return { click, dimensions }
  }

  async #movePosition(tx: Tx, batch: SegmentBatch, { segment, from, isEnd }: BatchOrigin): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('journal_segments')
      .set((eb) => ({
        position: batch.position,
        clicks: eb('clicks', '+', batch.clicks.length),
        dead_letters: eb('dead_letters', '+', batch.deadLetters.length),
        damaged_bytes: eb('damaged_bytes', '+', batch.damagedBytes + batch.tornBytes),
        ...(isEnd ? { finished_at: this.#deps.clock.nowUs(), missing_clicks: missingClicks(batch) } : {}),
      }))
      .where('segment', '=', segment)
      .where('position', '=', from)
      .where('finished_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw new StalePosition(`Segment ${segment} is no longer at ${from}.`)
  }
}

/** The difference between the seal and what is counted with this batch; 0 without a seal. */
function missingClicks({ sealedClicks, clicks, deadLetters }: SegmentBatch) {
  if (sealedClicks === undefined) return 0
  const total = sql<number>`clicks + dead_letters + ${sql.lit(clicks.length + deadLetters.length)}`
  return sql<number>`${sql.lit(sealedClicks)} - (${total})`
}
