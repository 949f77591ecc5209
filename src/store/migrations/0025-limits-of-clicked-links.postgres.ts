import { type Kysely, sql } from 'kysely'

/** When a link that may have clicks got its limit: clicks from before that count against it. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE link_openings ADD COLUMN limited_since bigint`.execute(db)
  await sql`CREATE INDEX link_openings_by_limited_since ON link_openings (limited_since)
    WHERE limited_since IS NOT NULL`.execute(db)
}
