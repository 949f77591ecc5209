import { sql } from 'kysely'
import { COUNT_COLUMNS } from '../clicks/facts/fact-columns.ts'
import { DIMENSIONS } from '../store/click-dimensions.ts'
import { Refusal } from '../errors/refusal.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { Database } from '../store/schema.ts'

export const CLICK_COLUMNS = ['link_id', 'clicked_at', ...DIMENSIONS, ...COUNT_COLUMNS] as const

export type ClickRow = Pick<Database['clicks'], (typeof CLICK_COLUMNS)[number]>

/** Clicks are stored in the order of counting, for all workspaces together, and read this many at a time. */
export const CLICKS_AT_ONCE = 4_000
/** Each takes some 100 kB. A table with more is one whose clicks are not moved into files yet. */
const KEPT_PAGES_MAX = 100
/** Clicks are moved into files once in 50,000, and merged once an hour. */
const TRIES_MAX = 5
const RETRY_SECONDS = 30

/** Clicks of a workspace in the table, in the order of counting. */
export async function* tableClicks(db: ReadOnlyDb, workspaceId: number): AsyncGenerator<ClickRow[]> {
  const { first, last } = await db
    .selectFrom('clicks')
    .select((eb) => [eb.fn.min<number | null>('id').as('first'), eb.fn.max<number | null>('id').as('last')])
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return
  for (let from = first; from <= last; from += CLICKS_AT_ONCE) {
    const rows = await db
      .selectFrom('clicks')
      .select(CLICK_COLUMNS)
      .where('id', '>=', from)
      .where('id', '<', from + CLICKS_AT_ONCE)
      // Not by its index, which is in another order.
      .where(sql<boolean>`workspace_id + 0 = ${workspaceId}`)
      .orderBy('id')
      .execute()
    if (rows.length > 0) yield rows
  }
}

/** Which files or batches count, and the clicks that are in none of them. */
export type ClickSnapshot<Closed> = { closed: Closed; clicks: AsyncGenerator<ClickRow[]> }

/**
 * Where all clicks of a workspace are at this moment. Those in the table are kept compressed, so that each is read once although it may
 * move into a file or be merged with others before long. Files never change, and stay for a while after they are replaced.
 */
export async function takeClickSnapshot<Closed>(
  db: ReadOnlyDb,
  workspaceId: number,
  readClosed: (db: ReadOnlyDb) => Promise<Closed>,
  keptPagesMax = KEPT_PAGES_MAX,
): Promise<ClickSnapshot<Closed>> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const before = await whereClicksAre(db, readClosed)
    const pages = tableClicks(db, workspaceId)
    const { keptPages, isAll } = await keepPages(pages, keptPagesMax)
    const isStillSo = async () => Bun.deepEquals(await whereClicksAre(db, readClosed), before)
    if (!(await isStillSo())) continue
    const clicks = unpacked(keptPages)
    return { closed: before.closed, clicks: isAll ? clicks : keptAndOthers(clicks, pages, isStillSo) }
  }
  throw new Refusal(
    'store_unavailable',
    'Clicks are being moved out of the table. Try again in half a minute.',
    {
      retryAfterSeconds: RETRY_SECONDS,
    },
  )
}

async function whereClicksAre<Closed>(
  db: ReadOnlyDb,
  readClosed: (db: ReadOnlyDb) => Promise<Closed>,
): Promise<{ closed: Closed; mergedTo: number }> {
  const { merged_to: mergedTo } = await db
    .selectFrom('click_progress')
    .select('merged_to')
    .executeTakeFirstOrThrow()
  return { closed: await readClosed(db), mergedTo }
}

async function keepPages(pages: AsyncGenerator<ClickRow[]>, keptPagesMax: number) {
  const keptPages: Uint8Array[] = []
  while (keptPages.length < keptPagesMax) {
    const { value, done } = await pages.next()
    if (done) return { keptPages, isAll: true }
    keptPages.push(Bun.zstdCompressSync(JSON.stringify(value)))
  }
  return { keptPages, isAll: false }
}

async function* unpacked(pages: readonly Uint8Array[]): AsyncGenerator<ClickRow[]> {
  for (const page of pages) yield JSON.parse(Bun.zstdDecompressSync(page).toString())
}

async function* keptAndOthers(
  kept: AsyncGenerator<ClickRow[]>,
  others: AsyncGenerator<ClickRow[]>,
  isStillSo: () => Promise<boolean>,
): AsyncGenerator<ClickRow[]> {
  yield* kept
  yield* others
  if (!(await isStillSo())) throw new Error('Clicks were moved or merged before they were exported.')
}
