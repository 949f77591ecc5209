import type { ImportFile } from './import-file.ts'
import { type SqlRow, sqlRows } from './sql-rows.ts'
import { type SqlToken, sqlTokens } from './sql-tokens.ts'
import { type Encoding, textOf } from './text-encoding.ts'

/** The rows of the table that has these columns. Returns whether the dump ends with a whole statement. */
export async function* dumpRows(
  file: ImportFile,
  encoding: Encoding,
  columns: readonly string[],
): AsyncGenerator<SqlRow, boolean> {
  const parser = sqlRows(columns)
  parser.next()
  let last: SqlToken | undefined
  for await (const tokens of sqlTokens(textOf(file, encoding))) {
    last = tokens.at(-1) ?? last
    for (const token of tokens) {
      const row = parser.next(token).value
      if (row !== undefined) yield row
    }
  }
  return last === undefined || last.value === ';'
}
