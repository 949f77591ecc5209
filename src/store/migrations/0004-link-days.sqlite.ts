import { type Kysely, sql } from 'kysely'

/** The day that is being summed up: clicks that come for it, or for one before it, remove its sums again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE link_days_progress ADD COLUMN begun_to INTEGER NOT NULL DEFAULT 0`.execute(db)
  await sql`UPDATE link_days_progress SET begun_to = summed_to`.execute(db)
}
