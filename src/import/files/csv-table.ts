import type { Columns } from './csv-columns.ts'
import { type CsvFormat, csvRows } from './csv-records.ts'
import type { CsvRow } from './csv-splitter.ts'
import type { ImportFile } from './import-file.ts'
import type { DateOrder } from './read-date.ts'

/** How a table is read. */
export type CsvTable = CsvFormat & {
  columns: Columns
  /** The names of the columns; undefined if they have none. */
  header: readonly string[] | undefined
  /** How many columns there are. */
  width: number
  /** Its names, and what is above them; 0 if the first row is a link. */
  rowsAbove: number
  /** Of dates that could be read in two ways; undefined if no date proves one. */
  order: DateOrder | undefined
}

/** Without its names, and what is above them. */
export async function* rowsOfLinks(file: ImportFile, table: CsvTable): AsyncGenerator<CsvRow> {
  let rows = 0
  for await (const row of csvRows(file, table)) if (++rows > table.rowsAbove) yield row
}
