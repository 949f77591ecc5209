import { sql } from 'kysely'
import type { CurrentDb, DurableDb } from '../store/handles.ts'

/**
 * Spends one opening of a link with `max_clicks`. False if none is left. One statement, so it is exact whichever nodes spend
 * some at the same moment, and with the limit that is stored now: what this node remembers of the link may be older.
 */
export async function spendOpening(db: DurableDb, linkId: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO link_openings (link_id, opened)
    SELECT id, 1 FROM links WHERE id = ${linkId}
    ON CONFLICT (link_id) DO UPDATE SET opened = link_openings.opened + 1
    WHERE link_openings.opened < (SELECT coalesce(max_clicks, ${sql.lit(OPENED_MAX)}) FROM links WHERE id = ${linkId})
    RETURNING opened`.execute(db)
  return rows.length > 0
}

/** Without a limit, which a link may have lost while a visitor was on the way. */
const OPENED_MAX = Number.MAX_SAFE_INTEGER

/** Whether its limit, as it is stored now, leaves no opening. */
export async function isLimitReached(db: CurrentDb, linkId: number): Promise<boolean> {
  const reached = await db
    .selectFrom('link_openings')
    .innerJoin('links', 'links.id', 'link_openings.link_id')
    .select('link_id')
    .where('link_id', '=', linkId)
    .whereRef('opened', '>=', 'max_clicks')
    .executeTakeFirst()
  return reached !== undefined
}

/** Returns an opening whose visitor was not redirected. */
export async function returnOpening(db: DurableDb, linkId: number): Promise<void> {
  await db
    .updateTable('link_openings')
    .set((eb) => ({ opened: eb('opened', '-', 1) }))
    .where('link_id', '=', linkId)
    .where('opened', '>', 0)
    .execute()
}
