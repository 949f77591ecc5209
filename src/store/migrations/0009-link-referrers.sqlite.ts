import { type Kysely, sql } from 'kysely'

/** Which referrers a link has had on a day, so that there can be a bound to them; kept for two days. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE link_referrers (
    day INTEGER NOT NULL,
    link_id INTEGER NOT NULL,
    referrer TEXT NOT NULL,
    PRIMARY KEY (day, link_id, referrer)
  ) STRICT, WITHOUT ROWID`.execute(db)
}
