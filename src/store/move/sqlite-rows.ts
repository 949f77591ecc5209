import type { Database } from 'bun:sqlite'
import type { Column, LastIds, MoveReader, TableRows } from './move-endpoint.ts'
import { type MovedTable, NUMBERED_TABLES, orderOf } from './moved-tables.ts'

const CHUNK_BYTES = 128 * 1024

/** SQLite writes rows as lines itself, and reads lines as values. */
export function sqliteRowReader(database: Database): MoveReader {
  const number = (text: string, ...values: string[]) => Number(database.query(text).values(...values)[0]![0])
  return {
    columnsOf: async (table) => columnsOf(database, table),
    count: async (table) => number(`SELECT count(*) FROM ${table}`),
    lines: (of) => readLines(database, of),
    async lastIds() {
      const lastId = (table: string) =>
        number(
          `SELECT max((SELECT coalesce(max(id), 0) FROM ${table}),
            coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0))`,
          table,
        )
      return Object.fromEntries(NUMBERED_TABLES.map((table) => [table, lastId(table)])) as LastIds
    },
  }
}

const HOLDS = { INTEGER: 'number', TEXT: 'text', BLOB: 'bytes' } as const

function columnsOf(database: Database, table: MovedTable): Column[] {
  const rows = database.query(`SELECT name, type FROM pragma_table_info(?)`).all(table) as {
    name: string
    type: keyof typeof HOLDS
  }[]
  return rows.map(({ name, type }) => ({ name, holds: HOLDS[type] }))
}

async function* readLines(database: Database, { table, columns }: TableRows): AsyncGenerator<Uint8Array> {
  const connection = `${columns.map(written).join(' || char(9) || ')} || char(10)`
  // As bytes: a JavaScript string would change a text that is not valid UTF-8.
  const rows = database.query<{ line: Uint8Array }, []>(
    `SELECT CAST(${connection} AS BLOB) AS line FROM ${table} ORDER BY ${orderOf(table)}`,
  )
  let parts: Uint8Array[] = []
  let bytes = 0
  for (const row of rows.iterate()) {
    parts.push(row.line)
    bytes += row.line.length
    if (bytes < CHUNK_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    bytes = 0
    // SQLite is synchronous: without this, nothing else would run before the last row.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (bytes > 0) yield Buffer.concat(parts)
}

/** What COPY escapes with a backslash, in the order in which it must be replaced. */
const ESCAPES: [code: number, written: string][] = [
  [92, '\\\\'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
]
/** Most texts contain none of them, and checking is cheaper than replacing. */
const HAS_ESCAPES = `GLOB '*[' || char(8) || '-' || char(13) || char(92) || ']*'`

function written({ name, holds }: Column): string {
  if (holds === 'number') return `coalesce(${name}, '\\N')`
  if (holds === 'bytes') return `coalesce('\\\\x' || lower(hex(${name})), '\\N')`
  const escaped = ESCAPES.reduce((text, [code, to]) => `replace(${text}, char(${code}), '${to}')`, name)
  return `coalesce(iif(${name} ${HAS_ESCAPES}, ${escaped}, ${name}), '\\N')`
}

/** Of the values of a row, with its line feed; as SQLite writes them. */
export const writeLine = (values: readonly (string | number)[]): string =>
  values.map((value) => (typeof value === 'number' ? value : escaped(value))).join('\t') + '\n'

const WRITTEN = Object.fromEntries(ESCAPES.map(([code, to]) => [String.fromCharCode(code), to]))

const escaped = (text: string) => text.replaceAll(/[\x08-\x0d\\]/g, (character) => WRITTEN[character]!)

const ESCAPED = Object.fromEntries(ESCAPES.map(([code, to]) => [to, String.fromCharCode(code)]))

/** The values of a line without its line feed. Numbers stay texts: SQLite reads them exactly, however large. */
export function readLine(connection: string, columns: readonly Column[]): (string | Uint8Array | null)[] {
  return connection.split('\t').map((field, location) => {
    if (field === '\\N') return null
    if (columns[location]!.holds === 'bytes') return Buffer.from(field.slice('\\\\x'.length), 'hex')
    return field.includes('\\') ? field.replaceAll(/\\./g, (pair) => ESCAPED[pair]!) : field
  })
}
