import { constants, Database, SQLiteError } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Why another program's database could not be read. */
export class UnreadableDatabase extends Error {}

type TablesQuery = { tables: readonly string[]; query: string }

/**
 * The rows of a query of a database that another program wrote. Its functions and views are not run: a view could have rows
 * without an end.
 */
export function* foreignRows(
  path: string,
  { tables, query }: TablesQuery,
): Generator<Record<string, unknown>, void> {
  let database: Database | undefined
  try {
    database = openForeign(path)
    database.run('PRAGMA trusted_schema = OFF')
    database.run('PRAGMA cell_size_check = ON')
    for (const table of tables)
      if (!isTable(database, table)) throw new UnreadableDatabase(`no table ${table}`)
    yield* database.query<Record<string, unknown>, []>(query).iterate()
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    throw new UnreadableDatabase(error.message, { cause: error })
  } finally {
    database?.close()
  }
}

const NOT_WRITABLE = /^SQLITE_(?:READONLY|CANTOPEN)/

/** A database with a write-ahead log needs files beside it. Where none can be written, nobody else writes the database either. */
function openForeign(path: string): Database {
  const database = new Database(path, { readonly: true })
  try {
    database.query('SELECT 1 FROM sqlite_schema').get()
    return database
  } catch (error) {
    database.close()
    // Without its log, the database would lack what was written last.
    const isUnwritable = error instanceof SQLiteError && NOT_WRITABLE.test(error.code ?? '')
    if (!isUnwritable || existsSync(`${path}-wal`)) throw error
    const url = `${pathToFileURL(path).href}?immutable=1`
    return new Database(url, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  }
}

const isTable = (database: Database, name: string): boolean =>
  database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null
