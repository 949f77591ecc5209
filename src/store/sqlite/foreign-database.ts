import { Database, SQLiteError } from 'bun:sqlite'

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
    database = new Database(path, { readonly: true, strict: true })
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

const isTable = (database: Database, name: string): boolean =>
  database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null
