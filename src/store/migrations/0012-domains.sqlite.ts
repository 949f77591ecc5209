import { type Kysely, sql } from 'kysely'

/**
 * Codes belong to a domain and say which link they open. SQLite can neither drop the old UNIQUE (code) of `links` nor change
 * a primary key, so both tables are made again.
 */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'CREATE TABLE domains (id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT UNIQUE) STRICT',
  'INSERT INTO domains (id, host) VALUES (0, NULL)',
  'ALTER TABLE codes RENAME TO old_codes',
  'ALTER TABLE links RENAME TO old_links',
  `CREATE TABLE links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES workspaces (id),
    domain_id INTEGER NOT NULL DEFAULT 0,
    code TEXT NOT NULL,
    svc_id TEXT NOT NULL,
    original_url TEXT NOT NULL,
    target_url TEXT,
    title TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO links (id, account_id, code, svc_id, original_url, target_url, title, is_active, created_at, updated_at)
    SELECT id, account_id, code, svc_id, original_url, target_url, title, is_active, created_at, updated_at
    FROM old_links`,
  // Ids of deleted links must not come back; a table that never had a row is not in sqlite_sequence.
  "DELETE FROM sqlite_sequence WHERE name = 'links'",
  "INSERT INTO sqlite_sequence (name, seq) SELECT 'links', seq FROM sqlite_sequence WHERE name = 'old_links'",
  `CREATE TABLE codes (
    code TEXT NOT NULL,
    domain_id INTEGER NOT NULL DEFAULT 0,
    account_id INTEGER REFERENCES workspaces (id),
    link_id INTEGER REFERENCES links (id) ON DELETE SET NULL,
    lost_at INTEGER,
    PRIMARY KEY (code, domain_id)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO codes (code, account_id, link_id, lost_at)
    SELECT old_codes.code, old_codes.account_id, old_links.id, lost_at
    FROM old_codes LEFT JOIN old_links ON old_links.code = old_codes.code ORDER BY old_codes.code`,
  'DROP TABLE old_links',
  'DROP TABLE old_codes',
  'CREATE INDEX links_of_account ON links (account_id, created_at DESC, id DESC)',
  'CREATE INDEX links_switched_off ON links (account_id, created_at DESC, id DESC) WHERE is_active = 0',
  'CREATE INDEX codes_of_link ON codes (link_id)',
  'ALTER TABLE deleted_links ADD COLUMN domain_id INTEGER NOT NULL DEFAULT 0',
]
