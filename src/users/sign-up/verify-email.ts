import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import type { Account } from '../account.ts'
import { accountByEmail } from '../find-account.ts'

/** The operator vouches for the email. Does nothing if it is verified already. */
export async function verifyEmail(deps: { db: DurableDb; clock: Clock }, email: string): Promise<Account> {
  const account = await accountByEmail(deps.db, email)
  await deps.db
    .updateTable('users')
    .set({ email_verified_at: deps.clock.nowUs() })
    .where('id', '=', account.userId)
    .where('email_verified_at', 'is', null)
    .execute()
  return accountByEmail(deps.db, email)
}
