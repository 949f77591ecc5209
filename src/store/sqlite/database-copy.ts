import { Database } from 'bun:sqlite'

export type DatabaseCopy = Database

/**
 * Writes the current state of the database into a new, self-contained file. It is one long read, so other readers and
 * writers continue.
 */
export function copyDatabase(from: string, to: string): void {
  const database = new Database(from, { readonly: true, strict: true })
  try {
    database.query('VACUUM INTO ?').run(to)
  } finally {
    database.close()
  }
}

/** Works on a copy that nobody else has open. Everything it writes is in that file when it is done. */
export function withCopy<Result>(path: string, work: (database: Database) => Result): Result {
  const database = new Database(path, { readwrite: true, strict: true })
  try {
    // A crash costs only the copy; a journal file left behind could be taken for that of the next copy.
    database.run('PRAGMA journal_mode = MEMORY')
    database.run('PRAGMA synchronous = FULL')
    return work(database)
  } finally {
    database.close()
  }
}

const FAULTS_SHOWN_MAX = 5

/**
 * The errors that SQLite finds in the file: in pages, rows and foreign keys. 'integrity_check' also compares every index
 * with its table, and takes about twice as long.
 */
export function databaseErrors(
  database: Database,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): string[] {
  const pages = database.query(`PRAGMA ${check}(${FAULTS_SHOWN_MAX})`).values().flat().map(String)
  return [...pages.filter((channel) => channel !== 'ok'), ...orphans(database)]
}

/** Foreign keys only. */
export const orphans = (database: Database): string[] =>
  database
    .query('SELECT DISTINCT "table" FROM pragma_foreign_key_check')
    .values()
    .flat()
    .map((table) => `rows of ${table} refer to rows that are not there`)

/** The names of the migrations that the database has had. */
export const appliedMigrations = (database: Database): string[] =>
  database.query('SELECT name FROM kysely_migration').values().flat().map(String)
