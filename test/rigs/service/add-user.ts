import type { Clock } from '../../../src/runtime/clock.ts'
import type { DurableDb } from '../../../src/store/handles.ts'
import { transact } from '../../../src/store/transact.ts'
import type { Account } from '../../../src/users/account.ts'
import { hashPassword } from '../../../src/users/password/password.ts'
import { insertAccount } from '../../../src/users/sign-up/create-account.ts'

export const PASSWORD = 'correct horse battery staple'

type UserValues = { name: string; email: string; isVerified?: boolean }

/** A user who can sign in with `PASSWORD`, as after a sign-up. */
export async function addUser(
  { db, clock }: { db: DurableDb; clock: Clock },
  { isVerified = true, ...user }: UserValues,
): Promise<Account> {
  const values = { ...user, isVerified, passwordHash: await hashOnce() }
  const account = await transact(db, (tx) => insertAccount({ db: tx, clock }, values))
  if (account === undefined) throw new Error(`${user.email} is taken.`)
  return account
}

let hash: Promise<string> | undefined

/** Most users of tests have the same password, and a hash is made to be expensive. */
const hashOnce = () => (hash ??= hashPassword(PASSWORD))
