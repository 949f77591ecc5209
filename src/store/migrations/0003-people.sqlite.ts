import { type Kysely, sql } from 'kysely'

/** Signing in: sessions, single-use tokens, second factors; and what the operator needs to keep order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  "ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'user'",
  'ALTER TABLE accounts ADD COLUMN rate_limit INTEGER',
  'ALTER TABLE accounts ADD COLUMN suspended_at INTEGER',
  'ALTER TABLE accounts ADD COLUMN closed_at INTEGER',
  'ALTER TABLE accounts ADD COLUMN last_signed_in_at INTEGER',
  'ALTER TABLE accounts ADD COLUMN failed_sign_ins INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE accounts ADD COLUMN totp_secret TEXT',
  'ALTER TABLE accounts ADD COLUMN totp_enabled_at INTEGER',
  'ALTER TABLE accounts ADD COLUMN totp_last_step INTEGER',
  `CREATE INDEX accounts_stopped ON accounts (id)
    WHERE suspended_at IS NOT NULL OR closed_at IS NOT NULL`,
  `CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    token_hash TEXT NOT NULL UNIQUE,
    device TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX sessions_of_account ON sessions (account_id, id)',
  `CREATE TABLE single_use_tokens (
    token_hash TEXT NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL,
    account_id INTEGER REFERENCES accounts (id),
    email TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX single_use_tokens_of_account ON single_use_tokens (account_id)',
  `CREATE TABLE recovery_codes (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    code_hash TEXT NOT NULL,
    PRIMARY KEY (account_id, code_hash)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    credential_id TEXT NOT NULL UNIQUE,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT`,
  'CREATE INDEX passkeys_of_account ON passkeys (account_id, id)',
  `CREATE TABLE invitations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    token_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE blocked_hosts (
    host TEXT NOT NULL PRIMARY KEY,
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE deleted_links (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    code TEXT NOT NULL,
    svc_id TEXT NOT NULL,
    original_url TEXT NOT NULL,
    target_url TEXT,
    title TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX deleted_links_of_account ON deleted_links (account_id, code)',
  // Few links are off, so the index of all would be read through in search of them.
  'CREATE INDEX links_switched_off ON links (account_id, created_at DESC, id DESC) WHERE is_active = 0',
]
