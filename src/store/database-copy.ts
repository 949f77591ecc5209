import { Database } from 'bun:sqlite'
import { SQLITE_MIGRATIONS, NewerStore } from './migrate.ts'

/**
 * Writes the database as it is now into a new file, which then needs no other. Readers and writers go on meanwhile:
 * it is one long read, of the state at its beginning.
 */
export function copyDatabase(from: string, to: string): void {
  const database = new Database(from, { readonly: true, strict: true })
  try {
    database.query('VACUUM INTO ?').run(to)
  } finally {
    database.close()
  }
}

/** Works on a copy, which nobody else has open; whatever it writes is in the one file when it is done. */
export function withCopy<Result>(path: string, work: (database: Database) => Result): Result {
  const database = new Database(path, { readwrite: true, strict: true })
  try {
    // A crash costs the copy and nothing else; a journal left beside it could be taken for that of the next copy.
    database.run('PRAGMA journal_mode = MEMORY')
    database.run('PRAGMA synchronous = FULL')
    return work(database)
  } finally {
    database.close()
  }
}

const FAULTS_SHOWN_MAX = 5

/**
 * What SQLite itself finds wrong with the file: pages, rows, and rows that refer to nothing. 'integrity_check' also holds
 * every index against its table, and takes about twice as long.
 */
export function databaseFaults(
  database: Database,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): string[] {
  const pages = database.query(`PRAGMA ${check}(${FAULTS_SHOWN_MAX})`).values().flat().map(String)
  return [...pages.filter((line) => line !== 'ok'), ...orphans(database)]
}

/** The same of rows that refer to nothing, alone. */
export const orphans = (database: Database): string[] =>
  database
    .query('SELECT DISTINCT "table" FROM pragma_foreign_key_check')
    .values()
    .flat()
    .map((table) => `rows of ${table} refer to rows that are not there`)

/** What the next start will do to the tables. */
export function unappliedMigrations(database: Database): string[] {
  const applied = appliedMigrations(database)
  return Object.keys(SQLITE_MIGRATIONS).filter((name) => !applied.includes(name))
}

/** Refused when a later version of Tern has written the database. */
export function refuseNewer(database: Database): void {
  const unknown = appliedMigrations(database).filter((name) => !(name in SQLITE_MIGRATIONS))
  if (unknown.length > 0)
    throw new NewerStore(`It was written by a newer Tern (it has ${unknown.join(', ')}).`)
}

const appliedMigrations = (database: Database): string[] =>
  database.query('SELECT name FROM kysely_migration ORDER BY name').values().flat().map(String)
