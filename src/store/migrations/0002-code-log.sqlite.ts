import { type Kysely, sql } from 'kysely'

/** How far the store agrees with the code log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE code_log (
    log TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL
  ) STRICT`.execute(db)
}
