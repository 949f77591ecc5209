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

/** Values are in the order of `FACT_COLUMNS`. `nextRow` is undefined after the last page. */
export type FactRows = { rows: (number | string)[][]; nextRow: number | undefined }

/** A page of one file's rows, in the order that they have there. Columns that the file lacks are ''. */
export async function readFacts(connection: DuckDbConnection, page: FactPage): Promise<FactRows> {
  const { name, workspaceId, forgottenLinks = [], rowsMax } = page
  const fromRow = await firstRow(connection, page)
  if (fromRow === undefined) return { rows: [], nextRow: undefined }
  const values: Value[] = [name, BigInt(fromRow), BigInt(fromRow + rowsMax)]
  if (workspaceId !== undefined) values.push(BigInt(workspaceId))
  // A range instead of a limit, because it skips row groups.
  const rows = (await connection.rows(
    `SELECT ${COLUMNS} FROM (
       SELECT *, NULL::BIGINT AS file_row_number FROM ${OPEN_CLICKS} WHERE false
       UNION ALL BY NAME SELECT * FROM read_parquet($1, file_row_number = true)
     ) WHERE file_row_number >= $2 AND file_row_number < $3 ${workspaceId === undefined ? '' : 'AND workspace_id = $4'}
     ORDER BY file_row_number`,
    values,
  )) as FactRows['rows']
  const forgotten = new Set<unknown>(forgottenLinks)
  return {
    rows: rows.filter((row) => !forgotten.has(row[LINK_PLACE])),
    nextRow: rows.length === rowsMax ? fromRow + rowsMax : undefined,
  }
}

const LINK_PLACE = FACT_COLUMNS.indexOf('link_id')

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
): AsyncGenerator<FactRows['rows']> {
  for (let fromRow: number | undefined = 0; fromRow !== undefined;) {
    const { rows, nextRow }: FactRows = await callEngine('readFacts', { ...file, fromRow })
    if (rows.length > 0) yield rows
    fromRow = nextRow
  }
}
