import type { Column, LastIds, MoveReader, TableRows } from './move-endpoint.ts'
import { type MovedTable, NUMBERED_TABLES, orderOf } from './moved-tables.ts'
import type { MoveConnection } from './move-connection.ts'

/** PostgreSQL writes rows as lines itself, by COPY. */
export function postgresRowReader(connection: MoveConnection): MoveReader {
  return {
    columnsOf: (table) => columnsOf(connection, table),
    count: async (table) => Number(await connection.value(`SELECT count(*) FROM ${table}`)),
    lines: (of) =>
      connection.copyOut(
        `COPY (SELECT ${namesOf(of)} FROM ${of.table} ORDER BY ${orderOf(of.table)}) TO STDOUT`,
      ),
    async lastIds() {
      const ids: Partial<LastIds> = {}
      for (const table of NUMBERED_TABLES) ids[table] = await lastId(connection, table)
      return ids as LastIds
    },
  }
}

export const namesOf = ({ columns }: TableRows): string => columns.map(({ name }) => name).join(', ')

/** An ID that was inserted explicitly does not move the sequence. */
async function lastId(connection: MoveConnection, table: MovedTable): Promise<number> {
  const sequence = await connection.value(`SELECT pg_get_serial_sequence('${table}', 'id')`)
  return Number(
    await connection.value(`SELECT greatest(last_value - CASE WHEN is_called THEN 0 ELSE 1 END,
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

async function columnsOf(connection: MoveConnection, table: MovedTable): Promise<Column[]> {
  const rows = await connection.run<{ name: string; type: string }>(
    `SELECT attname::text AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  )
  return rows.map(({ name, type }) => ({ name, holds: HOLDS[type]! }))
}
