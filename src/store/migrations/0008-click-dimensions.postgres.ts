import { type Kysely, sql } from 'kysely'

/**
 * Renames audiences to click dimensions, which changes no row: the day tables of clicks follow their parent. Adds counters
 * for what few clicks have: clicks without them have no rows there.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE audiences RENAME TO click_dimensions`.execute(db)
  await sql`ALTER SEQUENCE audiences_id_seq RENAME TO click_dimensions_id_seq`.execute(db)
  await sql`ALTER INDEX audiences_pkey RENAME TO click_dimensions_pkey`.execute(db)
  await sql`ALTER INDEX audiences_country_device_browser_os_referrer_key
    RENAME TO click_dimensions_country_device_browser_os_referrer_key`.execute(db)
  for (const table of ['clicks', 'link_hours'])
    await sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN audience_id TO dimensions_id`.execute(db)
  await sql`CREATE TABLE link_dimension_hours (
    link_id BIGINT NOT NULL,
    dimension TEXT COLLATE "C" NOT NULL,
    hour INTEGER NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    PRIMARY KEY (link_id, dimension, hour, value)
  ) WITH (fillfactor = 80)`.execute(db)
}
