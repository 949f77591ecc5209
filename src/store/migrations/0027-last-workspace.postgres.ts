import { type Kysely, sql } from 'kysely'

/** Where a user goes on after the next sign-in. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN last_workspace_id BIGINT`.execute(db)
}
