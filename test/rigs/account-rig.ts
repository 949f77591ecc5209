import { type Account } from '../../src/accounts/account.ts'
import { createAccount, type NewAccount } from '../../src/accounts/create-account.ts'
import { manualClock } from '../../src/clock.ts'
import { openTestStore } from './test-store.ts'
import { NOON_US } from './journal-rig.ts'

/** A store with nobody in it, at noon. */
export async function openAccountRig(dataDir: string) {
  const store = await openTestStore(dataDir)
  const deps = { db: store.db, quickDb: store.quickDb, clock: manualClock(NOON_US) }
  return {
    ...deps,
    deps,
    store,
    makeAccount: (others: Partial<NewAccount> = {}): Promise<Account> =>
      createAccount(deps, { ...GOOD, ...others }),
    accounts: () => store.db.selectFrom('accounts').selectAll().orderBy('id').execute(),
    keys: () => store.db.selectFrom('api_keys').selectAll().orderBy('id').execute(),
  }
}

export type AccountRig = Awaited<ReturnType<typeof openAccountRig>>

export const GOOD: NewAccount = {
  name: 'Ann',
  email: 'ann@example.com',
  password: 'correct horse battery staple',
  isVerified: false,
}
