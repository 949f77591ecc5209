import { sql } from 'kysely'
import { wholeNumber } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'

const LINKS_AT_ONCE = 100

/** Padded with the last id to full size, so PostgreSQL prepares one statement only. */
export function* inHundreds(linkIds: readonly number[]): Generator<number[]> {
  for (let from = 0; from < linkIds.length; from += LINKS_AT_ONCE) {
    yield Array.from({ length: LINKS_AT_ONCE }, (_, i) => linkIds[from + i] ?? linkIds.at(-1)!)
  }
}

type RowsOf = { table: 'link_referrers' | 'link_hours'; column: 'day' | 'hour'; is: number }

/** How many rows each link has. Links without rows are left out. */
export async function countByLink(
  tx: Tx,
  { table, column, is }: RowsOf,
  linkIds: readonly number[],
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const ids of inHundreds(linkIds)) {
    const { rows } = await sql<{ id: number; found: number }>`SELECT link_id AS id, count(*) AS found
      FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${wholeNumber(is)} AND link_id IN (${sql.join(ids)})
      GROUP BY link_id`.execute(tx)
    for (const { id, found } of rows) counts.set(id, Number(found))
  }
  return counts
}
