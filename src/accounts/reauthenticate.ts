import { invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import type { PasswordQueue } from './password-queue.ts'

/** Before what a stranger at an unlocked screen must not do: the password once more (ASVS 7.5.1). */
export async function reauthenticate(
  { db, passwords }: { db: Db; passwords: PasswordQueue },
  accountId: number,
  password: unknown,
): Promise<void> {
  const row = await db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const isRight = await passwords.verify(typeof password === 'string' ? password : '', row.password_hash)
  if (!isRight) throw invalid({ password: ['The password is wrong.'] })
}
