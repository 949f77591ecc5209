import { type Kysely, sql } from 'kysely'

/** Other nodes learn about a change of any column that a redirect reads, not only of those that the API changes. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const columns = (row: 'old' | 'new') =>
  ['id', 'account_id', 'code', 'original_url', 'target_url', 'is_active']
    .map((name) => `${row}.${name}`)
    .join(', ')

const STATEMENTS = [
  'DROP TRIGGER link_changed ON links',
  `CREATE TRIGGER link_changed AFTER UPDATE ON links FOR EACH ROW
    WHEN ((${columns('old')}) IS DISTINCT FROM (${columns('new')})) EXECUTE FUNCTION note_link_change()`,
]
