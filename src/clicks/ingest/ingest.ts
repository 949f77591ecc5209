import { sql } from 'kysely'
import { type Clock, dayOf } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'
import type { Store } from '../../store/open-store.ts'
import { prepareClickDays, type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { transact } from '../../store/transact.ts'
import { type ClickDimensions, DimensionSets, BOT_DIMENSIONS_ID } from '../counters/dimensions.ts'
import type { Click } from '../journal/click.ts'
import { removeStaleRollups } from '../counters/link-days.ts'
import { DimensionBounds } from '../counters/bound-dimensions.ts'
import { OTHER_REFERRER } from '../counters/link-referrers.ts'
import { spendClicksBeforeLimits } from './clicks-before-limits.ts'
import { addUp, type ReadClick } from '../counters/rollups.ts'
import { writeHours, writeLinkTotals } from '../counters/write-counters.ts'
import {
  addSingleValues,
  SingleValueBounds,
  singleValuesIn,
  singleValuesOf,
} from '../counters/single-dimensions.ts'
import { recordVisitors } from '../counters/seen-visitors.ts'
import type { SegmentBatch } from '../journal/read-segment.ts'

/** What the User-Agent says about the client. */
export type ReadUserAgent = (
  userAgent: string,
) => Omit<ClickDimensions, 'country' | 'referrer'> & { isBot: boolean }

export type IngestDeps = { store: Pick<Store, 'db' | 'clicksDb'>; clock: Clock; readUserAgent: ReadUserAgent }

/** The position has moved: by another ingester, or by a commit whose answer was lost. Read it again. */
export class StalePosition extends Error {}

/** Where a batch comes from, and whether its single clicks are stored. */
export type BatchOrigin = { segment: string; from: number; isEnd: boolean; keepsRawClicks: boolean }

/**
 * Moves batches from the journal into the counters. The counters and the segment's position change in one transaction,
 * and the position only from the value at which the batch began: a batch counts once, however often it is tried.
 */
export class Ingest {
  readonly #deps: IngestDeps
  readonly #dimensionSets = new DimensionSets()
  readonly #bounds = new DimensionBounds(this.#dimensionSets)
  readonly #singleValueBounds = new SingleValueBounds()
  /** UTC days for which single clicks can be written. */
  readonly #preparedDays = new Set<number>()

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  async count(batch: SegmentBatch, origin: BatchOrigin): Promise<void> {
    const readClicks = batch.clicks.map((click) => ({ click, dimensions: this.#dimensionsOf(click) }))
    const people = readClicks.flatMap(({ click, dimensions }) => (dimensions === undefined ? [] : click))
    const singleValues = singleValuesOf(people)
    if (origin.keepsRawClicks) await this.#prepareDays(batch.clicks)
    const transaction = transact(this.#deps.store.clicksDb, async (tx) => {
      await this.#movePosition(tx, batch, origin)
      const firstVisits = await recordVisitors(tx, people)
      const all = addUp(readClicks, firstVisits)
      const totals = await writeLinkTotals(tx, all)
      await spendClicksBeforeLimits(tx, people)
      const bounded = await this.#bounds.apply(tx, readClicks, totals)
      const rollup = bounded === readClicks ? all : addUp(bounded, firstVisits)
      if (singleValues.length > 0) {
        const values = await this.#singleValueBounds.apply(tx, singleValues, totals)
        addSingleValues(rollup, values, firstVisits)
      }
      const ids = await this.#dimensionSets.find(tx, dimensionSetsOf(bounded))
      // The counters of a workspace come last, because other nodes that count clicks of it wait from there on.
      if (origin.keepsRawClicks) await writeRawClicks(tx, bounded, ids)
      await writeHours(tx, rollup, ids)
      await removeStaleRollups(tx, rollup.linkHours)
    })
    await transaction.catch((error) => {
      this.#preparedDays.clear() // one may have been removed since
      // After a failover the new primary may lack the last commits.
      this.#dimensionSets.forget()
      this.#bounds.forget()
      this.#singleValueBounds.forget()
      throw error
    })
    this.#dimensionSets.remember()
    this.#bounds.remember()
    this.#singleValueBounds.remember()
    this.#dimensionSets.forgetSome()
  }

  async #prepareDays(clicks: readonly Click[]): Promise<void> {
    const days = new Set(clicks.map(({ clickedAtUs }) => dayOf(clickedAtUs)))
    const missing = [...days].filter((day) => !this.#preparedDays.has(day))
    if (missing.length === 0) return
    await prepareClickDays(this.#deps.store.clicksDb, missing)
    for (const day of missing) this.#preparedDays.add(day)
  }

  #dimensionsOf({ userAgent, country, referrer: host }: Click): ClickDimensions | undefined {
    const { isBot, device, browser, os } = this.#deps.readUserAgent(userAgent)
    // The name is reserved for referrers beyond the bound.
    const referrer = host === OTHER_REFERRER ? '' : host
    return isBot ? undefined : this.#dimensionSets.of({ country, device, browser, os, referrer })
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

function dimensionSetsOf(clicks: readonly ReadClick[]): Set<ClickDimensions> {
  const dimensionSets = new Set(clicks.map(({ dimensions }) => dimensions))
  dimensionSets.delete(undefined)
  return dimensionSets as Set<ClickDimensions>
}

const RAW_CLICKS: RowInsert = {
  table: 'clicks',
  columns: ['link_id', 'workspace_id', 'clicked_at', 'dimensions_id', 'visitor', 'is_bot'],
}
const EXTENDED_CLICKS: RowInsert = {
  table: 'clicks',
  columns: [...RAW_CLICKS.columns, 'extras'],
  texts: ['extras'],
}

async function writeRawClicks(
  tx: Tx,
  clicks: readonly ReadClick[],
  dimensionIds: ReadonlyMap<ClickDimensions, number>,
): Promise<void> {
  const rows = clicks.map(({ click, dimensions }) => {
    const { linkId, workspaceId, clickedAtUs, visitor } = click
    const isBot = dimensions === undefined
    const dimensionsId = isBot ? BOT_DIMENSIONS_ID : dimensionIds.get(dimensions)
    return [linkId, workspaceId, clickedAtUs, dimensionsId, visitor || null, isBot ? 1 : 0]
  })
  if (clicks.every(({ click }) => click.extras === undefined))
    return void (await writeRows(tx, RAW_CLICKS, rows))
  const extended = rows.map((row, i) => [...row, extrasText(clicks[i]!.click)])
  await writeRows(tx, EXTENDED_CLICKS, extended)
}

function extrasText(click: Click): string | null {
  const values = singleValuesIn(click)
  return values.length === 0 ? null : JSON.stringify(Object.fromEntries(values))
}
