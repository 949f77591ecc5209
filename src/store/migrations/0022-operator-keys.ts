import { type Kysely, sql } from 'kysely'

/**
 * A key without a limit of its own may make 100 requests an hour, also that of an operator, which had no limit before. The keys that
 * operators use now keep having none.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`UPDATE api_keys SET rate_limit = 1000000000
    WHERE rate_limit IS NULL AND revoked_at IS NULL
      AND user_id IN (SELECT id FROM users WHERE role = 'admin')
      AND workspace_id IN (SELECT id FROM workspaces WHERE plan = 'free' AND rate_limit IS NULL)`.execute(db)
}
