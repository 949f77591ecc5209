import { randomBytes } from 'node:crypto'
import { dayOf } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'

const SALT_BYTES = 32

/**
 * Creates the salts of today and tomorrow if they are missing, and destroys those from before yesterday. All nodes of a store
 * get the same ones, so a visitor has one hash whichever node answers.
 */
export async function rotateVisitorSalts(db: DurableDb, nowUs: number): Promise<Map<number, Uint8Array>> {
  const today = dayOf(nowUs)
  const fresh = [today, today + 1].map((day) => ({ day, salt: new Uint8Array(randomBytes(SALT_BYTES)) }))
  await db
    .insertInto('visitor_salts')
    .values(fresh)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .deleteFrom('visitor_salts')
    .where('day', '<', today - 1)
    .execute()
  const rows = await db.selectFrom('visitor_salts').selectAll().execute()
  return new Map(rows.map(({ day, salt }) => [day, new Uint8Array(salt)]))
}
