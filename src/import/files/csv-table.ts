import type { Columns } from './csv-columns.ts'
import type { CsvFormat } from './csv-records.ts'
import type { DateOrder } from './read-date.ts'

/** How a table is read. */
export type CsvTable = CsvFormat & {
  columns: Columns
  /** The names of the columns; undefined if they have none. */
  header: readonly string[] | undefined
  /** Its names, and what is above them; 0 if the first row is a link. */
  rowsAbove: number
  /** Of dates that could be read in two ways; undefined if no date proves one. */
  order: DateOrder | undefined
}
