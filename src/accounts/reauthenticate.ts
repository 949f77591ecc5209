import { invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import type { PasswordQueue } from './password-queue.ts'

/**
 * Before what a stranger at an unlocked screen must not do: the password once more (ASVS 7.5.1). Gives the hash that it
 * was right for.
 */
export async function reauthenticate(
  { db, passwords }: { db: Db; passwords: PasswordQueue },
  accountId: number,
  password: unknown,
): Promise<string> {
  const row = await db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const isRight = await passwords.verify(typeof password === 'string' ? password : '', row.password_hash)
  if (!isRight) throw wrongPassword()
  return row.password_hash
}

export const wrongPassword = () => invalid({ password: ['The password is incorrect.'] })
