import type { ClickHouse } from '../clicks/clickhouse/clickhouse.ts'
import { type CountedBatches, countedBatches } from '../clicks/clickhouse/click-table.ts'
import { pageFacts } from '../clicks/clickhouse/page-facts.ts'
import { FACT_COLUMNS } from '../clicks/facts/fact-columns.ts'
import { type ForgottenLinks, listClickFiles, readForgottenLinks } from '../clicks/parquet/click-files.ts'
import type { CallEngine } from '../clicks/parquet/engine-calls.ts'
import { EngineError } from '../clicks/parquet/engine-error.ts'
import type { ClickFile } from '../clicks/parquet/parquet-file.ts'
import { factPages } from '../clicks/parquet/read-facts.ts'
import { Refusal } from '../errors/refusal.ts'
import { isoMicroseconds } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { ExportLine } from './pages.ts'
import {
  CLICK_COLUMNS,
  type ClickRow,
  CLICKS_AT_ONCE,
  type ClickSnapshot,
  tableClicks,
  takeClickSnapshot,
} from './table-clicks.ts'

export type ClickLineDeps = {
  db: ReadOnlyDb
  /** For clicks in files; undefined on PostgreSQL, where there are none. */
  callEngine?: CallEngine | undefined
  /** For clicks that were moved there; undefined without one. */
  clickHouse?: ClickHouse | undefined
}

const RETRY_SECONDS = 5

/** Microseconds, the end excluded. */
export type ClickTimes = { fromUs: number; toUs: number }
const ALL_TIMES: ClickTimes = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER }

/**
 * Every click that is counted now, those of deleted links included: file by file, then those of the table in the order of counting.
 * Several are in one record once their times are merged. Refuses if the engine is away.
 */
export async function openClicks(
  { db, callEngine, clickHouse }: ClickLineDeps,
  workspaceId: number,
  times: ClickTimes = ALL_TIMES,
): Promise<AsyncGenerator<ClickRow[]>> {
  if (clickHouse !== undefined) {
    const snapshot = await takeClickSnapshot(db, workspaceId, countedBatches)
    return rowsOf(await withFirstPage(movedPages(clickHouse, snapshot, workspaceId)), times)
  }
  if (callEngine === undefined) return rowsOf(tableClicks(db, workspaceId), times)
  const snapshot = await takeClickSnapshot(db, workspaceId, async (at) => ({
    files: await filesWithin(at, times),
    forgotten: await readForgottenLinks(at),
  }))
  return rowsOf(await withFirstPage(snapshotPages(callEngine, snapshot, workspaceId)), times)
}

async function filesWithin(db: ReadOnlyDb, { fromUs, toUs }: ClickTimes): Promise<ClickFile[]> {
  const files = await listClickFiles(db)
  return files.filter((file) => file.from_us < toUs && file.to_us > fromUs)
}

async function* rowsOf(
  pages: AsyncIterable<ClickRow[]>,
  { fromUs, toUs }: ClickTimes,
): AsyncGenerator<ClickRow[]> {
  for await (const page of pages) {
    // Of early clicks it is not known which of them was a visitor's first in the workspace: rows of no link have their number.
    const rows = page.filter(
      ({ link_id: linkId, clicked_at: at }) => linkId !== 0 && at >= fromUs && at < toUs,
    )
    if (rows.length > 0) yield rows
  }
}

/** As lines of the export of an account. */
export async function openClickLines(
  deps: ClickLineDeps,
  workspaceId: number,
): Promise<AsyncGenerator<ExportLine[]>> {
  return linesOf(await openClicks(deps, workspaceId))
}

async function* linesOf(pages: AsyncIterable<ClickRow[]>): AsyncGenerator<ExportLine[]> {
  for await (const rows of pages) yield rows.map(clickLine)
}

const clickLine = ({
  clicked_at: clickedAt,
  os,
  visitors,
  workspace_visitors: _,
  ...row
}: ClickRow): ExportLine => ({
  type: 'clicks',
  ...row,
  clicked_at: isoMicroseconds(clickedAt),
  operating_system: os,
  unique_visitors: visitors,
})

async function* movedPages(
  clickHouse: ClickHouse,
  { closed: counted, clicks }: ClickSnapshot<CountedBatches>,
  workspaceId: number,
): AsyncGenerator<ClickRow[]> {
  for await (const rows of pageFacts(clickHouse, { workspaceId, counted, columns: CLICK_COLUMNS }))
    yield rows.map(
      (values) => Object.fromEntries(CLICK_COLUMNS.map((name, place) => [name, values[place]])) as ClickRow,
    )
  yield* clicks
}

type CountedFiles = { files: ClickFile[]; forgotten: ForgottenLinks }

/** A file that cannot be read is left out, and makes it reject at the end. */
async function* snapshotPages(
  callEngine: CallEngine,
  { closed: { files, forgotten }, clicks }: ClickSnapshot<CountedFiles>,
  workspaceId: number,
): AsyncGenerator<ClickRow[]> {
  const unreadable: string[] = []
  for (const { name } of files) {
    try {
      const file = { name, workspaceId, forgottenLinks: forgotten[name], rowsMax: CLICKS_AT_ONCE }
      for await (const rows of factPages(callEngine, file)) yield rows.map(clickRow)
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'failed') throw error
      unreadable.push(name)
    }
  }
  yield* clicks
  if (unreadable.length > 0)
    throw new Error(`Files of clicks are gone or damaged: ${unreadable.join(', ')}. The export lacks them.`)
}

const PLACES = CLICK_COLUMNS.map((name) => [name, FACT_COLUMNS.indexOf(name)] as const)

/** One by one: `Object.fromEntries` takes ten times as long, and there may be millions. */
function clickRow(values: readonly (string | number)[]): ClickRow {
  const row: Partial<Record<keyof ClickRow, string | number>> = {}
  for (const [name, place] of PLACES) row[name] = values[place]!
  return row as ClickRow
}

/** Reads the first page already, which starts the engine if there are files. */
async function withFirstPage(pages: AsyncGenerator<ClickRow[]>): Promise<AsyncGenerator<ClickRow[]>> {
  const first = await pages.next().catch((error) => {
    if (!(error instanceof EngineError) || error.code !== 'away') throw error
    throw new Refusal(
      'store_unavailable',
      'Clicks cannot be read at the moment. Try again in a few seconds.',
      { retryAfterSeconds: RETRY_SECONDS },
    )
  })
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* pages
  })()
}
