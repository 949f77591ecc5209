import { type Kysely, sql } from 'kysely'

/** Domains of workspaces, invitations into workspaces, the audit log, sign-in by a provider, and limits of keys. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

/** A server that runs reads the number each second: what a command changes reaches it without a restart. */
const COUNT = 'BEGIN UPDATE redirect_state_changes SET count = count + 1; END'

const isOther = (columns: readonly string[]): string =>
  columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')

/** One that was never verified serves nothing. */
const isVerified = (row: 'old' | 'new') => `${row}.verified_at IS NOT NULL`

const OF_DOMAIN = ['host', 'account_id', 'is_shared', 'home_url', 'not_found_url', 'expired_url']
const OF_WORKSPACE = ['suspended_at', 'closed_at', 'default_domain_id']

const STATEMENTS = [
  'ALTER TABLE domains ADD COLUMN account_id INTEGER',
  `ALTER TABLE domains ADD COLUMN name TEXT NOT NULL DEFAULT ''`,
  'ALTER TABLE domains ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE domains ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE domains ADD COLUMN verification_token TEXT',
  'ALTER TABLE domains ADD COLUMN verified_at INTEGER',
  'ALTER TABLE domains ADD COLUMN checked_at INTEGER',
  'ALTER TABLE domains ADD COLUMN failing_since INTEGER',
  'ALTER TABLE domains ADD COLUMN failure TEXT',
  'ALTER TABLE domains ADD COLUMN certificate_result TEXT',
  'ALTER TABLE domains ADD COLUMN certificate_ends_at INTEGER',
  'ALTER TABLE domains ADD COLUMN removed_at INTEGER',
  'ALTER TABLE domains ADD COLUMN home_url TEXT',
  'ALTER TABLE domains ADD COLUMN not_found_url TEXT',
  'ALTER TABLE domains ADD COLUMN expired_url TEXT',
  'UPDATE domains SET is_shared = 1 WHERE id = 0',
  'CREATE UNIQUE INDEX domains_of_account ON domains (account_id, name) WHERE account_id IS NOT NULL',
  // For counts and lists of a domain. Most links are on the default domain, and cost nothing here.
  'CREATE INDEX links_on_domain ON links (account_id, domain_id, created_at DESC, id DESC) WHERE domain_id > 0',
  'ALTER TABLE workspaces ADD COLUMN default_domain_id INTEGER',
  'ALTER TABLE workspaces ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE workspaces ADD COLUMN invitations_day INTEGER',
  'ALTER TABLE workspaces ADD COLUMN invitations_of_day INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE users ADD COLUMN suspended_at INTEGER',
  'ALTER TABLE sessions ADD COLUMN workspace_id INTEGER',
  'ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER',
  'ALTER TABLE api_keys ADD COLUMN restrictions TEXT',
  'ALTER TABLE api_keys ADD COLUMN links_day INTEGER',
  'ALTER TABLE api_keys ADD COLUMN links_of_day INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX api_keys_restricted ON api_keys (id) WHERE restrictions IS NOT NULL',
  `CREATE TABLE workspace_invitations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL,
    email TEXT NOT NULL,
    role TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    invited_by INTEGER,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    UNIQUE (account_id, email)
  ) STRICT`,
  `CREATE TABLE user_identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    email TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX user_identities_of_user ON user_identities (user_id)',
  `CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL,
    happened_at INTEGER NOT NULL,
    user_id INTEGER,
    api_key_id INTEGER,
    actor TEXT NOT NULL,
    client TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    target_id INTEGER,
    changes TEXT
  ) STRICT`,
  'CREATE INDEX audit_log_of_account ON audit_log (account_id, happened_at)',
  'CREATE TABLE redirect_state_changes (count INTEGER NOT NULL) STRICT',
  'INSERT INTO redirect_state_changes VALUES (0)',
  `CREATE TRIGGER host_blocked AFTER INSERT ON blocked_hosts ${COUNT}`,
  `CREATE TRIGGER host_unblocked AFTER DELETE ON blocked_hosts ${COUNT}`,
  `CREATE TRIGGER domain_added AFTER INSERT ON domains WHEN ${isVerified('new')} ${COUNT}`,
  `CREATE TRIGGER domain_deleted AFTER DELETE ON domains WHEN ${isVerified('old')} ${COUNT}`,
  `CREATE TRIGGER domain_changed AFTER UPDATE ON domains
    WHEN ${isVerified('new')} AND (${isOther(OF_DOMAIN)}) ${COUNT}`,
  `CREATE TRIGGER workspace_changed AFTER UPDATE ON workspaces WHEN ${isOther(OF_WORKSPACE)} ${COUNT}`,
]
