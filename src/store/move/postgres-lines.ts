import type { Column, LastIds, MoveReader, TableLines } from './move-side.ts'
import { type MovedTable, NUMBERED_TABLES, orderOf } from './moved-tables.ts'
import type { PostgresLine } from './postgres-line.ts'

/** PostgreSQL's side of what is on its way: rows as lines, by its own COPY. */
export function postgresLines(line: PostgresLine): MoveReader {
  return {
    columnsOf: (table) => columnsOf(line, table),
    count: async (table) => Number(await line.value(`SELECT count(*) FROM ${table}`)),
    lines: (of) =>
      line.copyOut(`COPY (SELECT ${namesOf(of)} FROM ${of.table} ORDER BY ${orderOf(of.table)}) TO STDOUT`),
    async lastIds() {
      const ids: Partial<LastIds> = {}
      for (const table of NUMBERED_TABLES) ids[table] = await lastId(line, table)
      return ids as LastIds
    },
  }
}

export const namesOf = ({ columns }: TableLines): string => columns.map(({ name }) => name).join(', ')

/** An id that was given in the row itself does not move the sequence. */
async function lastId(line: PostgresLine, table: MovedTable): Promise<number> {
  const sequence = await line.value(`SELECT pg_get_serial_sequence('${table}', 'id')`)
  return Number(
    await line.value(`SELECT greatest(last_value - CASE WHEN is_called THEN 0 ELSE 1 END,
      (SELECT coalesce(max(id), 0) FROM ${table})) FROM ${String(sequence)}`),
  )
}

const HOLDS: Record<string, Column['holds']> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  text: 'text',
  bytea: 'bytes',
}

async function columnsOf(line: PostgresLine, table: MovedTable): Promise<Column[]> {
  const rows = await line.run<{ name: string; type: string }>(
    `SELECT attname::text AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  )
  return rows.map(({ name, type }) => ({ name, holds: HOLDS[type]! }))
}
