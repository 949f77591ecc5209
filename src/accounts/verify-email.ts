import type { Clock } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import type { Account } from './account.ts'
import { accountByEmail } from './find-account.ts'

/** The operator vouches for the address. Does nothing when it is verified already. */
export async function verifyEmail(deps: { db: Db; clock: Clock }, email: string): Promise<Account> {
  const account = await accountByEmail(deps.db, email)
  await deps.db
    .updateTable('accounts')
    .set({ email_verified_at: deps.clock.nowUs() })
    .where('id', '=', account.id)
    .where('email_verified_at', 'is', null)
    .execute()
  return accountByEmail(deps.db, email)
}
