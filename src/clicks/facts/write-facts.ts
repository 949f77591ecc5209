import { monthOf, QUARTER_US } from '../../runtime/clock.ts'
import { prepareClickMonths, type RowInsert, writeRows } from '../../store/engine-sql.ts'
import type { Tx, WriteDb } from '../../store/handles.ts'
import type { FirstVisits } from '../counters/seen-visitors.ts'
import type { Click } from '../journal/click.ts'
import { type ClickDimensions, DIMENSIONS } from '../../store/click-dimensions.ts'
import { FACT_COLUMNS } from './fact-columns.ts'

/** A click with its dimensions; of a bot only its name, '' where that is not a known one. */
export type ReadClick =
  { click: Click; dimensions: ClickDimensions } | { click: Click; dimensions: undefined; botName: string }

export const FACT_ROW: RowInsert = {
  table: 'clicks',
  columns: FACT_COLUMNS,
  texts: DIMENSIONS,
}

type FactOptions = {
  firstVisits: FirstVisits
  /** Otherwise a click has the time at which its quarter of an hour began. */
  hasExactTimes: boolean
}

/** Writes a row for each click. Call `FactMonths.prepare` before the transaction. */
export async function writeFacts(
  tx: Tx,
  clicks: readonly ReadClick[],
  { firstVisits, hasExactTimes }: FactOptions,
): Promise<void> {
  const rows = clicks.map((read, position) => {
    const { click } = read
    const { workspaceId, linkId, clickedAtUs } = click
    const time = hasExactTimes ? clickedAtUs : clickedAtUs - (clickedAtUs % QUARTER_US)
    const counts =
      read.dimensions === undefined
        ? BOT_COUNTS
        : [1, firstVisits.toLink[position], firstVisits.toWorkspace[position], 0]
    return [workspaceId, linkId, time, ...valuesOf(read), ...counts]
  })
  await writeRows(tx, FACT_ROW, rows)
}

const BOT_COUNTS = [0, 0, 0, 1]

/** The name of a bot has the place of a browser's. */
function valuesOf(read: ReadClick): string[] {
  if (read.dimensions !== undefined) return DIMENSIONS.map((name) => read.dimensions[name])
  return DIMENSIONS.map((name) => (name === 'browser' ? read.botName : ''))
}

/** Months for which clicks can be written, remembered so that most batches need no look. */
export class FactMonths {
  readonly #prepared = new Set<number>()

  async prepare(db: WriteDb, clicks: readonly Click[]): Promise<void> {
    const missing = new Set<number>()
    for (const { clickedAtUs } of clicks) {
      const month = monthOf(clickedAtUs)
      if (!this.#prepared.has(month)) missing.add(month)
    }
    if (missing.size === 0) return
    await prepareClickMonths(db, missing)
    for (const month of missing) this.#prepared.add(month)
  }

  /** One may have been removed since. */
  forget(): void {
    this.#prepared.clear()
  }
}
