import { sql } from 'kysely'
import type { AnyDb } from '../../store/handles.ts'

/** Pages with the clicks of the last minutes show them one by one. */
const LEFT_OPEN = 10_000
/** Enough for a file. Removing them from the table takes some hundredths of a second, in which nobody else can write to SQLite. */
const CLOSED_AT_ONCE = 50_000

export type ClosingSizes = { leftOpen?: number; closedAtOnce?: number }

/** Up to which id clicks are to be moved from the table to where old ones are; undefined if few enough are in it. */
export async function lastToClose(
  db: AnyDb,
  { leftOpen = LEFT_OPEN, closedAtOnce = CLOSED_AT_ONCE }: ClosingSizes = {},
): Promise<number | undefined> {
  const idAt = async (place: number) => {
    const { rows } = await sql<{
      id: number
    }>`SELECT id FROM clicks ORDER BY id LIMIT 1 OFFSET ${place}`.execute(db)
    return rows[0]?.id
  }
  if ((await idAt(closedAtOnce + leftOpen - 1)) === undefined) return undefined
  return idAt(closedAtOnce - 1)
}
