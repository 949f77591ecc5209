import { type Kysely, sql } from 'kysely'

/** Users recognize keys by their last four characters. Only hashes are kept of older ones, so those have none. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE api_keys ADD COLUMN key_hint TEXT`.execute(db)
}
