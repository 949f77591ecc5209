import { type Kysely, sql } from 'kysely'

/** Finds links that start, end or have a limit. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'CREATE INDEX links_by_start ON links (account_id, starts_at) WHERE starts_at IS NOT NULL',
  'CREATE INDEX links_by_end ON links (account_id, expires_at) WHERE expires_at IS NOT NULL',
  'CREATE INDEX links_with_limit ON links (account_id, max_clicks) WHERE max_clicks IS NOT NULL',
]
