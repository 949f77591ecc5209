import { type Kysely, sql } from 'kysely'

/**
 * What several nodes need to know: the day that is being summed up, because clicks that come for it, or for one before
 * it, remove its sums again; whose folder a segment is in; and when it was found that the store has lost a code's link.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE link_days_progress ADD COLUMN begun_to INTEGER NOT NULL DEFAULT 0`.execute(db)
  await sql`UPDATE link_days_progress SET begun_to = summed_to`.execute(db)
  await sql`ALTER TABLE journal_segments ADD COLUMN folder TEXT NOT NULL DEFAULT ''`.execute(db)
  await sql`ALTER TABLE codes ADD COLUMN lost_at INTEGER`.execute(db)
}
