import { type Kysely, sql } from 'kysely'

/**
 * Renames audiences to click dimensions, which changes no row. Adds counters for what few clicks have: clicks without them
 * have no rows there.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE audiences RENAME TO click_dimensions`.execute(db)
  for (const table of ['clicks', 'link_hours'])
    await sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN audience_id TO dimensions_id`.execute(db)
  await sql`CREATE TABLE link_dimension_hours (
    link_id INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    hour INTEGER NOT NULL,
    value TEXT NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    PRIMARY KEY (link_id, dimension, hour, value)
  ) STRICT, WITHOUT ROWID`.execute(db)
}
