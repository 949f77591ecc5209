import { lockedToChange } from '../store/engine-sql.ts'
import type { AnyDb, CurrentDb, Tx } from '../store/handles.ts'
import { toUser, type User } from './user.ts'

export async function userById(db: AnyDb, userId: number): Promise<User> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  return toUser(row)
}

/** Two changes that each begin with this take turns, whichever rows of the user they change. */
export async function lockUser(tx: Tx, userId: number): Promise<void> {
  await lockedToChange(tx, tx.selectFrom('users').select('id').where('id', '=', userId)).execute()
}

/** False: the first user to sign up becomes the operator. */
export async function hasUsers(db: CurrentDb): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
