import { type Kysely, sql } from 'kysely'

/** Which workspace OIDC_PROVIDERS means by a name. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE group_workspaces (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id BIGINT NOT NULL
  )`.execute(db)
}
