import { type Kysely, sql } from 'kysely'

/** Accounts, keys, links, the counters, and how far the journal has been counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    email_verified_at INTEGER,
    plan TEXT NOT NULL,
    subscription_status TEXT NOT NULL,
    subscription_expires_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    key_hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    rate_limit INTEGER,
    window_started_at INTEGER,
    window_requests INTEGER NOT NULL DEFAULT 0,
    last_used_at INTEGER,
    revoked_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX api_keys_of_account ON api_keys (account_id, id)',
  `CREATE TABLE api_usage_days (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    day INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (account_id, day)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE codes (
    code TEXT NOT NULL PRIMARY KEY,
    account_id INTEGER REFERENCES accounts (id)
  ) STRICT, WITHOUT ROWID`,
  // AUTOINCREMENT: the id of a deleted link must not come back, its late clicks would be counted for a stranger.
  `CREATE TABLE links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    code TEXT NOT NULL UNIQUE REFERENCES codes (code),
    svc_id TEXT NOT NULL,
    original_url TEXT NOT NULL,
    target_url TEXT,
    title TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX links_of_account ON links (account_id, created_at DESC, id DESC)',
  `CREATE TABLE account_link_counts (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    shard INTEGER NOT NULL,
    links INTEGER NOT NULL,
    active_links INTEGER NOT NULL,
    PRIMARY KEY (account_id, shard)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE idempotency_keys (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    endpoint TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, endpoint, key)
  ) STRICT`,
  'CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)',
  // Clicks and counters have no foreign keys: a click that was on its way when its link was deleted still counts.
  `CREATE TABLE clicks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    clicked_at INTEGER NOT NULL,
    audience_id INTEGER NOT NULL,
    visitor INTEGER,
    is_bot INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE audiences (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    country TEXT NOT NULL,
    device TEXT NOT NULL,
    browser TEXT NOT NULL,
    os TEXT NOT NULL,
    referrer TEXT NOT NULL,
    UNIQUE (country, device, browser, os, referrer)
  ) STRICT`,
  `CREATE TABLE link_totals (
    link_id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    last_clicked_at INTEGER
  ) STRICT`,
  'CREATE INDEX link_totals_of_account ON link_totals (account_id, clicks DESC, link_id DESC)',
  `CREATE TABLE link_hours (
    link_id INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    audience_id INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    PRIMARY KEY (link_id, hour, audience_id)
  ) STRICT, WITHOUT ROWID`,
  // Sums of whole UTC days of much clicked links, whose hours are too many to add up for every answer. Never the truth
  // but a copy of it: clicks that come late remove their day here, and its hours count again.
  `CREATE TABLE link_days (
    link_id INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    day INTEGER NOT NULL,
    value TEXT NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    PRIMARY KEY (link_id, dimension, day, value)
  ) STRICT, WITHOUT ROWID`,
  'CREATE TABLE link_days_progress (summed_to INTEGER NOT NULL) STRICT',
  'INSERT INTO link_days_progress VALUES (0)',
  `CREATE TABLE account_totals (
    account_id INTEGER PRIMARY KEY,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    last_clicked_at INTEGER
  ) STRICT`,
  `CREATE TABLE account_hours (
    account_id INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    hour INTEGER NOT NULL,
    value TEXT NOT NULL,
    clicks INTEGER NOT NULL,
    visitors INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    PRIMARY KEY (account_id, dimension, hour, value)
  ) STRICT, WITHOUT ROWID`,
  'CREATE TABLE seen_visits (visit INTEGER PRIMARY KEY) STRICT',
  'CREATE TABLE visitor_salts (day INTEGER PRIMARY KEY, salt BLOB NOT NULL) STRICT',
  `CREATE TABLE journal_segments (
    segment TEXT NOT NULL PRIMARY KEY,
    node TEXT NOT NULL,
    previous_segment TEXT NOT NULL,
    base_count INTEGER NOT NULL,
    position INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    dead_letters INTEGER NOT NULL,
    damaged_bytes INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT`,
  `CREATE TABLE link_texts (
    link_id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX link_texts_of_account ON link_texts (account_id, link_id DESC)',
  // Finds a literal part of a text among millions, three letters at a time. It holds no copy of the texts, so the
  // triggers hand it the old ones when they change, and no positions (detail=none): whether the letters stand together
  // is looked up in the text itself. A quarter of the size, a fifth of the work.
  //
  // New links are added by the thousand (indexNewLinks): one by one cost more than all else that creates a link. Up
  // to indexed_to they are in the index, behind it a search reads them.
  'CREATE TABLE link_search_progress (indexed_to INTEGER NOT NULL) STRICT',
  'INSERT INTO link_search_progress VALUES (0)',
  `CREATE VIEW indexed_link_texts AS
    SELECT link_id, text FROM link_texts WHERE link_id <= (SELECT indexed_to FROM link_search_progress)`,
  `CREATE VIRTUAL TABLE link_search USING fts5 (
    text, content='indexed_link_texts', content_rowid='link_id', columnsize=0, detail=none,
    tokenize='trigram case_sensitive 1'
  )`,
  `CREATE TRIGGER link_search_delete AFTER DELETE ON link_texts
  WHEN old.link_id <= (SELECT indexed_to FROM link_search_progress) BEGIN
    INSERT INTO link_search (link_search, rowid, text) VALUES ('delete', old.link_id, old.text);
  END`,
  `CREATE TRIGGER link_search_update AFTER UPDATE ON link_texts
  WHEN old.link_id <= (SELECT indexed_to FROM link_search_progress) BEGIN
    INSERT INTO link_search (link_search, rowid, text) VALUES ('delete', old.link_id, old.text);
    INSERT INTO link_search (rowid, text) VALUES (new.link_id, new.text);
  END`,
]
