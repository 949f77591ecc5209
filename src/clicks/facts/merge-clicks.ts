import { sql } from 'kysely'
import { DAY_US, QUARTER_US } from '../../runtime/clock.ts'
import { lockedToChange, wholeNumber, writeRows } from '../../store/engine-sql.ts'
import type { RelaxedDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { DIMENSIONS } from '../../store/click-dimensions.ts'
import { FACT_ROW } from './write-facts.ts'

/** Merged in one transaction, in a few hundredths of a second. Ids are in the order of counting, so they are of minutes. */
const CLICKS_AT_ONCE = 5_000

type KeptTimes = { nowUs: number; keepDays: number }

/**
 * Of clicks older than `keepDays`, keeps the quarter of an hour instead of the time, and one row for those that are then the
 * same. No figure changes. False if there was nothing to do.
 */
export function mergeNextClicks(db: RelaxedDb, { nowUs, keepDays }: KeptTimes): Promise<boolean> {
  const before = nowUs - (nowUs % QUARTER_US) - keepDays * DAY_US
  return transact(db, async (tx) => {
    // Locked first, as where clicks are deleted: a row that is deleted must not come back in a merged one.
    const progress = tx.selectFrom('click_progress').select('merged_to')
    const { merged_to: from } = await lockedToChange(tx, progress).executeTakeFirstOrThrow()
    const to = await lastToMerge(tx, from, before)
    if (to === undefined) return false
    const merged = await mergedRows(tx, from, to)
    await tx.deleteFrom('clicks').where('id', '>', from).where('id', '<=', to).execute()
    await writeRows(tx, { ...FACT_ROW, columns: ['id', ...FACT_ROW.columns] }, merged)
    await tx.updateTable('click_progress').set({ merged_to: to }).execute()
    return true
  })
}

/** The last of the next clicks that are old enough, without one between them that is not. */
async function lastToMerge(tx: Tx, from: number, before: number): Promise<number | undefined> {
  const next = tx
    .selectFrom('clicks')
    .select(['id', 'clicked_at'])
    .where('id', '>', from)
    .orderBy('id')
    .limit(CLICKS_AT_ONCE)
  const rows = await next.execute()
  const young = rows.findIndex(({ clicked_at: at }) => at >= before)
  return young === 0 ? undefined : rows[young === -1 ? rows.length - 1 : young - 1]?.id
}

/** Each with the lowest id of those that it is made of, so that the order of ids stays that of counting. */
async function mergedRows(tx: Tx, from: number, to: number): Promise<unknown[][]> {
  const dimensions = sql.join(DIMENSIONS.map((name) => sql.ref(name)))
  const quarter = sql`clicked_at - clicked_at % ${sql.lit(QUARTER_US)}`
  const { rows } = await sql<Record<string, unknown>>`
    SELECT min(id) AS id, workspace_id, link_id, ${quarter} AS clicked_at, ${dimensions}, sum(clicks) AS clicks,
      sum(visitors) AS visitors, sum(workspace_visitors) AS workspace_visitors, sum(bots) AS bots
    FROM clicks WHERE id > ${wholeNumber(from)} AND id <= ${wholeNumber(to)}
    GROUP BY workspace_id, link_id, ${quarter}, ${dimensions} ORDER BY 1`.execute(tx)
  return rows.map((row) => ['id', ...FACT_ROW.columns].map((column) => row[column]))
}
