import { openSqliteReader } from './sqlite-file.ts'

/**
 * One prepared statement on a read-only handle of the calling thread, for redirects: about 3 µs a read, without another
 * thread.
 */
export function openPointRead<Row>(path: string, text: string): PointRead<Row> {
  const database = openSqliteReader(path)
  const statement = database.query(text)
  return {
    get: (...values) => (statement.get(...values) as Row | null) ?? undefined,
    close: () => database.close(),
  }
}

export type PointRead<Row> = { get(...values: (string | number)[]): Row | undefined; close(): void }
