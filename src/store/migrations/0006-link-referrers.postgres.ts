import { type Kysely, sql } from 'kysely'

/** Which referrers a link has had on a day, so that there can be a bound to them; kept for two days. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE link_referrers (
    day INTEGER NOT NULL,
    link_id BIGINT NOT NULL,
    referrer TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (day, link_id, referrer)
  )`.execute(db)
}
