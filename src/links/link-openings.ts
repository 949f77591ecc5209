import { sql } from 'kysely'
import type { DurableDb } from '../store/handles.ts'

export type SpentOpening = 'spent' | 'last one spent' | 'none left'

/**
 * Spends one opening of a link with `max_clicks`. One statement, so it is exact whichever nodes spend
 * some at the same moment, and with the limit that is stored now: what this node remembers of the link may be older.
 */
export async function spendOpening(db: DurableDb, linkId: number): Promise<SpentOpening> {
  const { rows } = await sql<{ opened: number; max: number | null }>`
    INSERT INTO link_openings (link_id, opened)
    SELECT id, 1 FROM links WHERE id = ${linkId}
    ON CONFLICT (link_id) DO UPDATE SET opened = link_openings.opened + 1
    WHERE link_openings.opened < (SELECT coalesce(max_clicks, ${sql.lit(OPENED_MAX)}) FROM links WHERE id = ${linkId})
    RETURNING opened, (SELECT max_clicks FROM links WHERE id = ${linkId}) AS max`.execute(db)
  const [row] = rows
  if (row === undefined) return 'none left'
  return row.max !== null && row.opened >= row.max ? 'last one spent' : 'spent'
}

/** Without a limit, which a link may have lost while a visitor was on the way. */
const OPENED_MAX = Number.MAX_SAFE_INTEGER

/** Returns an opening whose visitor was not redirected. */
export async function returnOpening(db: DurableDb, linkId: number): Promise<void> {
  await db
    .updateTable('link_openings')
    .set((eb) => ({ opened: eb('opened', '-', 1) }))
    .where('link_id', '=', linkId)
    .where('opened', '>', 0)
    .execute()
}
