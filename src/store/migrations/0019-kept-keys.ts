import { type Kysely, sql } from 'kysely'

/**
 * A key remembers who made it, also after that user was removed and it was kept. The user of keys that were kept before is in the
 * audit log, unless the entry is gone.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE api_keys ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 0`.execute(db)
  await sql`UPDATE api_keys SET is_kept = 1 WHERE user_id IS NULL AND revoked_at IS NULL`.execute(db)
  await sql`UPDATE api_keys SET user_id = (
    SELECT max(made.user_id) FROM audit_log AS made JOIN users ON users.id = made.user_id AND users.closed_at IS NULL
    WHERE made.account_id = api_keys.workspace_id AND made.action = 'key.created' AND made.target_id = api_keys.id
  ) WHERE user_id IS NULL`.execute(db)
}
