import { type Kysely, sql } from 'kysely'

/** Everything that a link may have beyond its destination, title and switch. NULL in every link of before. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const COLUMNS = [
  'starts_at INTEGER',
  'expires_at INTEGER',
  'max_clicks INTEGER',
  'fallback_url TEXT',
  'password_hash TEXT',
  'forward_query INTEGER',
  'redirect_status INTEGER',
  'rules TEXT',
  'social_title TEXT',
  'social_description TEXT',
  'social_image_url TEXT',
  'is_archived INTEGER',
  'notes TEXT',
  'external_id TEXT',
]

const addColumns = (table: string) => COLUMNS.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column}`)

const STATEMENTS = [
  ...addColumns('links'),
  ...addColumns('deleted_links'),
  'ALTER TABLE deleted_links ADD COLUMN other_keys TEXT',
  `CREATE INDEX links_by_external_id ON links (account_id, external_id) WHERE external_id IS NOT NULL`,
  `CREATE INDEX links_archived ON links (account_id, created_at DESC, id DESC) WHERE is_archived = 1`,
  'ALTER TABLE account_link_counts ADD COLUMN archived_links INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX deleted_links_by_age ON deleted_links (account_id, deleted_at DESC, id DESC)',
  'CREATE INDEX deleted_links_by_time ON deleted_links (deleted_at)',
  `CREATE TABLE link_openings (
    link_id INTEGER PRIMARY KEY,
    opened INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE link_versions (
    link_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    user_id INTEGER,
    changes TEXT NOT NULL,
    PRIMARY KEY (link_id, version)
  ) STRICT, WITHOUT ROWID`,
]
