import { Database, SQLiteError } from 'bun:sqlite'

/** Why another program's database could not be read. */
export class UnreadableDatabase extends Error {}

/** The rows of a query of a database that another program wrote. Nothing that its schema defines is run. */
export function* foreignRows(path: string, query: string): Generator<Record<string, unknown>, void> {
  let database: Database | undefined
  try {
    database = new Database(path, { readonly: true, strict: true })
    database.run('PRAGMA trusted_schema = OFF')
    database.run('PRAGMA cell_size_check = ON')
    yield* database.query<Record<string, unknown>, []>(query).iterate()
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    throw new UnreadableDatabase(error.message, { cause: error })
  } finally {
    database?.close()
  }
}
