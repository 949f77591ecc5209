import { sql } from 'kysely'
import { contains } from '../store/engine-sql.ts'
import type { CurrentDb } from '../store/handles.ts'

const ORIGIN_LENGTH_MAX = 300

/** Whether any active key may be used from pages of this origin. What a browser asks first comes without the key. */
export async function isOriginOfAnyKey(db: CurrentDb, origin: string): Promise<boolean> {
  // Nothing else in the restrictions has the form of an origin, so that no other text of theirs passes for one.
  if (origin.length > ORIGIN_LENGTH_MAX || URL.parse(origin)?.origin !== origin) return false
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('restrictions', 'is not', null)
    .where('revoked_at', 'is', null)
    .where(contains(db, sql.ref('restrictions'), JSON.stringify(origin)))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
