import { type Account } from '../../../src/users/account.ts'
import { createAccount, type NewAccount } from '../../../src/users/sign-up/create-account.ts'
import { manualClock } from '../../../src/runtime/clock.ts'
import { openTestStore } from '../store/test-store.ts'
import { NOON_US } from '../clicks/journal-rig.ts'
import { usePerTest } from '../use-rig.ts'
import { PASSWORD } from './add-user.ts'

/** A store with nobody in it, at noon. */
async function openAccountRig(dataDir: string) {
  const store = await openTestStore(dataDir)
  const deps = {
    db: store.db,
    relaxedDb: store.relaxedDb,
    clock: manualClock(NOON_US),
    baseUrl: 'https://s.example',
  }
  return {
    ...deps,
    deps,
    store,
    makeAccount: (others: Partial<NewAccount> = {}): Promise<Account> =>
      createAccount(deps, { ...GOOD, ...others }),
    users: () => store.db.selectFrom('users').selectAll().orderBy('id').execute(),
    workspaces: () => store.db.selectFrom('workspaces').selectAll().orderBy('id').execute(),
    keys: () => store.db.selectFrom('api_keys').selectAll().orderBy('id').execute(),
  }
}

export const useAccountRig = (): AccountRig => usePerTest(openAccountRig, ({ store }) => store.close())

export type AccountRig = Awaited<ReturnType<typeof openAccountRig>>

export const GOOD: NewAccount = {
  name: 'Ann',
  email: 'ann@example.com',
  password: PASSWORD,
  isVerified: false,
}
