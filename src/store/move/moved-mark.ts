import { MOVED_TABLES } from './moved-tables.ts'

const CHANGES = ['INSERT', 'UPDATE', 'DELETE'] as const

/** The files of a store that was moved stay as they are, too. */
const triggers = [...MOVED_TABLES, 'click_files'].flatMap((table) =>
  CHANGES.map((change) => ({ table, change, name: `moved_${table}_${change.toLowerCase()}` })),
)

/**
 * Makes SQLite refuse every change by processes that still have the file open. They treat the error as an unavailable
 * store (isStoreUnavailable).
 */
export const REFUSE_ON_SQLITE: readonly string[] = triggers.map(
  ({ table, change, name }) =>
    `CREATE TRIGGER ${name} BEFORE ${change} ON ${table} BEGIN SELECT RAISE(ABORT, 'The store was moved.'); END`,
)

export const ALLOW_ON_SQLITE: readonly string[] = triggers.map(({ name }) => `DROP TRIGGER IF EXISTS ${name}`)

/** The same on PostgreSQL, with the SQLSTATE of a read-only server. */
export const REFUSE_ON_POSTGRES: readonly string[] = [
  `CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The store was moved.' USING ERRCODE = 'read_only_sql_transaction';
  END $$`,
  ...MOVED_TABLES.map(
    (table) => `CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()`,
  ),
]

export const ALLOW_ON_POSTGRES: readonly string[] = ['DROP FUNCTION IF EXISTS refuse_moved() CASCADE']
