import { type Kysely, sql } from 'kysely'

/** Tags and folders, who created a link, what a workspace and its users have set for themselves, and reports of links. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'ALTER TABLE links ADD COLUMN created_by INTEGER',
  'ALTER TABLE deleted_links ADD COLUMN created_by INTEGER',
  'ALTER TABLE link_versions ADD COLUMN api_key_id INTEGER',
  `CREATE INDEX links_by_title ON links (account_id, lower(title), id) WHERE title <> ''`,
  `CREATE INDEX link_totals_by_last_click ON link_totals (account_id, last_clicked_at DESC, link_id DESC)
    WHERE last_clicked_at IS NOT NULL`,
  `CREATE TABLE labels (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    color INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, kind, folded_name)
  ) STRICT`,
  `CREATE TABLE link_labels (
    label_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    link_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, created_at, link_id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX link_labels_of_link ON link_labels (link_id)',
  `CREATE TABLE label_link_counts (
    label_id INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    links INTEGER NOT NULL,
    archived_links INTEGER NOT NULL,
    PRIMARY KEY (label_id, shard)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE workspace_settings (
    account_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, name)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE saved_views (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    is_shared INTEGER NOT NULL,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX saved_views_of_account ON saved_views (account_id, id)',
  `CREATE TABLE link_reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL,
    link_id INTEGER NOT NULL,
    short_url TEXT NOT NULL,
    original_url TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL,
    reported_at INTEGER NOT NULL,
    closed_at INTEGER,
    closed_by INTEGER
  ) STRICT`,
  'CREATE INDEX link_reports_of_link ON link_reports (link_id)',
  'CREATE INDEX link_reports_open ON link_reports (reported_at DESC, id DESC) WHERE closed_at IS NULL',
]
