import type { DurableDb } from '../../../src/store/handles.ts'
import { transact } from '../../../src/store/transact.ts'
import { sql } from 'kysely'
import { monthOf } from '../../../src/runtime/clock.ts'
import { prepareClickMonths, raiseIds } from '../../../src/store/engine-sql.ts'
import { MOVED_TABLES, type MovedTable, orderOf } from '../../../src/store/move/moved-tables.ts'
import { EVERY_TABLE, LAST_IDS } from './every-table.data.ts'

/** Puts rows into every table of an empty store. */
export async function fillEveryTable(db: DurableDb): Promise<void> {
  await prepareClickMonths(
    db,
    EVERY_TABLE.clicks.map(({ clicked_at }) => monthOf(Number(clicked_at))),
  )
  await transact(db, async (tx) => {
    for (const table of ['click_progress', 'domains'] as const) await tx.deleteFrom(table).execute()
    // Tables that others refer to come first.
    const first: MovedTable[] = ['users', 'workspaces', 'links']
    for (const table of new Set([...first, ...MOVED_TABLES]))
      await tx
        .insertInto(table)
        .values(EVERY_TABLE[table] as never[])
        .execute()
    for (const [table, id] of Object.entries(LAST_IDS)) await raiseIds(tx, table as 'links', id)
  })
}

/** Every row of every table, in the same words whatever the engine; `[table, rows]`. */
export async function contentsOf(db: DurableDb): Promise<[string, unknown[]][]> {
  const contents: [string, unknown[]][] = []
  for (const table of MOVED_TABLES) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}
      ORDER BY ${sql.raw(orderOf(table))}`.execute(db)
    contents.push([table, rows.map(inOrder)])
  }
  return contents
}

const inOrder = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(row)
      .sort()
      .map((name) => [
        name,
        row[name] instanceof Uint8Array ? Buffer.from(row[name]).toString('hex') : row[name],
      ]),
  )
