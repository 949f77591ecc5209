import { randomBytes } from 'node:crypto'
import { dayOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

const SALT_BYTES = 32

/**
 * Today's and tomorrow's salts, made where they are missing; those from before yesterday are destroyed. All nodes of
 * one store get the same, so a visitor is one visitor whichever node answers.
 */
export async function rotateVisitorSalts(db: Db, nowUs: number): Promise<Map<number, Uint8Array>> {
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
