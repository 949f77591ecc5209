import { type Kysely, sql } from 'kysely'

/**
 * Splits accounts: a user signs in, a workspace owns links and keys, and a member is a user with a role in a workspace. Each
 * account becomes one user who owns one workspace, both with the account's id. Only small tables are made again. `links` and
 * `codes` refer to `workspaces` by name, and none of their rows is touched.
 */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const USER_COLUMNS = `id, name, email, password_hash, email_verified_at, role, created_at, closed_at, last_signed_in_at,
  failed_sign_ins, totp_secret, totp_enabled_at, totp_last_step`
const WORKSPACE_COLUMNS = `id, name, plan, subscription_status, subscription_expires_at, rate_limit, created_at,
  suspended_at, closed_at`

/** Ids that rows had which are gone must not come back. A table that never had a row is not in sqlite_sequence. */
const keepIds = (from: string, to: string): string[] => [
  `DELETE FROM sqlite_sequence WHERE name = '${to}'`,
  `INSERT INTO sqlite_sequence (name, seq) SELECT '${to}', seq FROM sqlite_sequence WHERE name = '${from}'`,
]

const STATEMENTS = [
  `CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    email_verified_at INTEGER,
    role TEXT NOT NULL DEFAULT 'user',
    created_at INTEGER NOT NULL,
    closed_at INTEGER,
    last_signed_in_at INTEGER,
    failed_sign_ins INTEGER NOT NULL DEFAULT 0,
    totp_secret TEXT,
    totp_enabled_at INTEGER,
    totp_last_step INTEGER
  ) STRICT`,
  `INSERT INTO users (${USER_COLUMNS}) SELECT ${USER_COLUMNS} FROM accounts`,
  ...keepIds('accounts', 'users'),
  `CREATE TABLE new_workspaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    subscription_status TEXT NOT NULL,
    subscription_expires_at INTEGER,
    rate_limit INTEGER,
    created_at INTEGER NOT NULL,
    suspended_at INTEGER,
    closed_at INTEGER
  ) STRICT`,
  `INSERT INTO new_workspaces (${WORKSPACE_COLUMNS}) SELECT ${WORKSPACE_COLUMNS} FROM accounts`,
  ...keepIds('accounts', 'new_workspaces'),
  // Renaming turns every reference to accounts into one to workspaces; dropping leaves the references as they are.
  'ALTER TABLE accounts RENAME TO workspaces',
  'DROP TABLE workspaces',
  'ALTER TABLE new_workspaces RENAME TO workspaces',
  `CREATE INDEX workspaces_stopped ON workspaces (id)
    WHERE suspended_at IS NOT NULL OR closed_at IS NOT NULL`,
  `CREATE TABLE members (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX members_of_user ON members (user_id)',
  `INSERT INTO members (workspace_id, user_id, role, joined_at) SELECT id, id, 'owner', created_at FROM users
    WHERE closed_at IS NULL`,

  `CREATE TABLE new_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    token_hash TEXT NOT NULL UNIQUE,
    device TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO new_sessions (id, user_id, token_hash, device, created_at, last_used_at)
    SELECT id, account_id, token_hash, device, created_at, last_used_at FROM sessions`,
  ...keepIds('sessions', 'new_sessions'),
  'DROP TABLE sessions',
  'ALTER TABLE new_sessions RENAME TO sessions',
  'CREATE INDEX sessions_of_user ON sessions (user_id, id)',

  `CREATE TABLE new_single_use_tokens (
    token_hash TEXT NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id),
    email TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO new_single_use_tokens (token_hash, purpose, user_id, email, expires_at)
    SELECT token_hash, purpose, account_id, email, expires_at FROM single_use_tokens`,
  'DROP TABLE single_use_tokens',
  'ALTER TABLE new_single_use_tokens RENAME TO single_use_tokens',
  'CREATE INDEX single_use_tokens_of_user ON single_use_tokens (user_id)',

  `CREATE TABLE new_recovery_codes (
    user_id INTEGER NOT NULL REFERENCES users (id),
    code_hash TEXT NOT NULL,
    PRIMARY KEY (user_id, code_hash)
  ) STRICT, WITHOUT ROWID`,
  'INSERT INTO new_recovery_codes (user_id, code_hash) SELECT account_id, code_hash FROM recovery_codes',
  'DROP TABLE recovery_codes',
  'ALTER TABLE new_recovery_codes RENAME TO recovery_codes',

  `CREATE TABLE new_passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    credential_id TEXT NOT NULL UNIQUE,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT`,
  `INSERT INTO new_passkeys
    (id, user_id, credential_id, public_key, counter, transports, name, created_at, last_used_at)
    SELECT id, account_id, credential_id, public_key, counter, transports, name, created_at, last_used_at
    FROM passkeys`,
  ...keepIds('passkeys', 'new_passkeys'),
  'DROP TABLE passkeys',
  'ALTER TABLE new_passkeys RENAME TO passkeys',
  'CREATE INDEX passkeys_of_user ON passkeys (user_id, id)',

  'DROP INDEX api_keys_of_account',
  'ALTER TABLE api_keys RENAME COLUMN account_id TO workspace_id',
  'ALTER TABLE api_keys ADD COLUMN user_id INTEGER REFERENCES users (id)',
  'UPDATE api_keys SET user_id = workspace_id',
  'CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, id)',
  'CREATE INDEX api_keys_of_user ON api_keys (user_id)',
]
