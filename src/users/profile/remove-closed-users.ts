import { type Clock, MINUTE_US } from '../../runtime/clock.ts'
import type { RelaxedDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'

/** By then, sign-ins and emails that were in progress when the account was closed have finished. */
const SETTLED_US = MINUTE_US
const USERS_MAX = 500

/** Removes what is left of users who have deleted their account. */
export async function removeClosedUsers(db: RelaxedDb, clock: Pick<Clock, 'nowUs'>): Promise<void> {
  const closed = await db
    .selectFrom('users')
    .select('id')
    .where('closed_at', '<=', clock.nowUs() - SETTLED_US)
    .limit(USERS_MAX)
    .execute()
  for (const { id } of closed) await removeUser(db, id)
}

const OWN_ROWS = [
  ...(['sessions', 'single_use_tokens', 'recovery_codes', 'passkeys', 'members'] as const),
  ...(['saved_views', 'email_reports', 'user_identities'] as const),
] as const

async function removeUser(db: RelaxedDb, userId: number): Promise<void> {
  await transact(db, async (tx) => {
    for (const table of OWN_ROWS) await tx.deleteFrom(table).where('user_id', '=', userId).execute()
    await tx.updateTable('api_keys').set({ user_id: null }).where('user_id', '=', userId).execute()
    await tx.deleteFrom('users').where('id', '=', userId).execute()
  })
}
