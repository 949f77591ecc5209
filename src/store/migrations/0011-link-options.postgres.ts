import { type Kysely, sql } from 'kysely'

/**
 * Everything that a link may have beyond its destination, title and switch. NULL in every link of before. Other nodes learn
 * about a change of each column that a redirect reads.
 */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const TEXT = 'TEXT COLLATE "C"'
const COLUMNS = [
  'starts_at BIGINT',
  'expires_at BIGINT',
  'max_clicks BIGINT',
  `fallback_url ${TEXT}`,
  `password_hash ${TEXT}`,
  'forward_query SMALLINT',
  'redirect_status SMALLINT',
  `rules ${TEXT}`,
  `social_title ${TEXT}`,
  `social_description ${TEXT}`,
  `social_image_url ${TEXT}`,
  'is_archived SMALLINT',
  `notes ${TEXT}`,
  `external_id ${TEXT}`,
]

const addColumns = (table: string) =>
  `ALTER TABLE ${table} ${COLUMNS.map((column) => `ADD COLUMN ${column}`).join(', ')}`

const ROUTE_COLUMNS = [
  ...[
    'id',
    'account_id',
    'code',
    'original_url',
    'target_url',
    'is_active',
    'starts_at',
    'expires_at',
    'max_clicks',
  ],
  ...['fallback_url', 'password_hash', 'forward_query', 'redirect_status', 'rules'],
  ...['social_title', 'social_description', 'social_image_url'],
]
const columns = (row: 'old' | 'new') => ROUTE_COLUMNS.map((name) => `${row}.${name}`).join(', ')

const STATEMENTS = [
  // In the order in which a creation locks them, so that neither waits for the other.
  'LOCK TABLE links, deleted_links IN ACCESS EXCLUSIVE MODE',
  addColumns('links'),
  addColumns('deleted_links'),
  `ALTER TABLE deleted_links ADD COLUMN other_keys ${TEXT}`,
  'CREATE INDEX links_by_external_id ON links (account_id, external_id) WHERE external_id IS NOT NULL',
  'CREATE INDEX links_archived ON links (account_id, created_at DESC, id DESC) WHERE is_archived = 1',
  'ALTER TABLE account_link_counts ADD COLUMN archived_links BIGINT NOT NULL DEFAULT 0',
  'CREATE INDEX deleted_links_by_age ON deleted_links (account_id, deleted_at DESC, id DESC)',
  'CREATE INDEX deleted_links_by_time ON deleted_links (deleted_at)',
  `CREATE TABLE link_openings (
    link_id BIGINT PRIMARY KEY,
    opened BIGINT NOT NULL
  )`,
  `CREATE TABLE link_versions (
    link_id BIGINT NOT NULL,
    version INTEGER NOT NULL,
    changed_at BIGINT NOT NULL,
    user_id BIGINT,
    changes ${TEXT} NOT NULL,
    PRIMARY KEY (link_id, version)
  )`,
  'DROP TRIGGER link_changed ON links',
  `CREATE TRIGGER link_changed AFTER UPDATE ON links FOR EACH ROW
    WHEN ((${columns('old')}) IS DISTINCT FROM (${columns('new')})) EXECUTE FUNCTION note_link_change()`,
]
