import { type Kysely, sql } from 'kysely'

/** Which workspace OIDC_PROVIDERS means by a name. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE group_workspaces (
    name TEXT NOT NULL PRIMARY KEY,
    workspace_id INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`.execute(db)
}
