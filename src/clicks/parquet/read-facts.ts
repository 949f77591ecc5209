import { COLUMN_TYPES, FACT_COLUMNS } from '../facts/fact-columns.ts'
import type { CallEngine } from './engine-calls.ts'
import type { DuckDbConnection, Value } from './duckdb.ts'
import { OPEN_CLICKS } from './open-clicks.ts'

export type FactPage = {
  name: string
  /** Undefined: of all. */
  workspaceId?: number | undefined
  /** The clicks of these links are left out. */
  forgottenLinks?: readonly number[] | undefined
  /** The first row that may be in the page, from 0 and counted in the whole file. */
  fromRow: number
  /** What is copied between processes at once. A page takes as long as its row group, however short it is. */
  rowsMax: number
}

/** Of numbers and texts, in the order of `FACT_COLUMNS`. */
export type FactRow = (number | string)[]
/** `json`: an array of rows. DuckDB writes it in a third of the time that its values take one by one. `nextRow` is undefined after the last page. */
export type FactRows = { json: string; nextRow: number | undefined }

/** A page of one file's rows, in the order that they have there. Columns that the file lacks are ''. */
export async function readFacts(connection: DuckDbConnection, page: FactPage): Promise<FactRows> {
  const { name, workspaceId, forgottenLinks = [], rowsMax } = page
  const fromRow = await firstRow(connection, page)
  if (fromRow === undefined) return { json: '[]', nextRow: undefined }
  const isOfPage = ['file_row_number >= $2', 'file_row_number < $3']
  const values: Value[] = [name, BigInt(fromRow), BigInt(fromRow + rowsMax)]
  if (workspaceId !== undefined) isOfPage.push(`workspace_id = $${values.push(BigInt(workspaceId))}`)
  const isKept = forgottenLinks.length === 0 ? '' : `FILTER (link_id NOT IN (${forgottenLinks.join()}))`
  // A range instead of a limit, because it skips row groups.
  const [row] = (await connection.rows(
    `SELECT string_agg(json_array(${COLUMNS}), ',' ORDER BY file_row_number) ${isKept}, count(*) FROM (
       SELECT *, NULL::BIGINT AS file_row_number FROM ${OPEN_CLICKS} WHERE false
       UNION ALL BY NAME SELECT * FROM read_parquet($1, file_row_number = true)
     ) WHERE ${isOfPage.join(' AND ')}`,
    values,
  )) as [[rows: string | null, count: number]]
  const [rows, count] = row
  return { json: `[${rows ?? ''}]`, nextRow: count === rowsMax ? fromRow + rowsMax : undefined }
}

const COLUMNS = FACT_COLUMNS.map((name) =>
  COLUMN_TYPES[name] === 'VARCHAR' ? `coalesce("${name}", '')` : `"${name}"`,
)

/** Files are sorted by workspace, so the rows of one follow each other. */
async function firstRow(
  connection: DuckDbConnection,
  { name, workspaceId, fromRow }: FactPage,
): Promise<number | undefined> {
  if (workspaceId === undefined || fromRow > 0) return fromRow
  const [[first]] = (await connection.rows(
    'SELECT min(file_row_number) FROM read_parquet($1, file_row_number = true) WHERE workspace_id = $2',
    [name, BigInt(workspaceId)],
  )) as [[number | null]]
  return first ?? undefined
}

/** All rows of a file, or those of a workspace, page by page. */
export async function* factPages(
  callEngine: CallEngine,
  file: Omit<FactPage, 'fromRow'>,
): AsyncGenerator<FactRow[]> {
  for (let fromRow: number | undefined = 0; fromRow !== undefined;) {
    const { json, nextRow }: FactRows = await callEngine('readFacts', { ...file, fromRow })
    const rows = JSON.parse(json) as FactRow[]
    if (rows.length > 0) yield rows
    fromRow = nextRow
  }
}
