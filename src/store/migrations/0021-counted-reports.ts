import { type Kysely, sql } from 'kysely'

/** Reports about a link that are only counted. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE link_reports ADD COLUMN more INTEGER NOT NULL DEFAULT 0`.execute(db)
}
