import { type Kysely, sql } from 'kysely'

/** Clicks that the seal of a segment names and that were not found in it. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE journal_segments ADD COLUMN missing_clicks INTEGER NOT NULL DEFAULT 0`.execute(db)
}
