import { invalid } from '../../errors/refusal.ts'
import type { CurrentDb } from '../../store/handles.ts'
import type { PasswordQueue } from '../password/password-queue.ts'

/** Asks for the password again before sensitive changes (ASVS 7.5.1). Returns the hash that it matched. */
export async function reauthenticate(
  { db, passwords }: { db: CurrentDb; passwords: PasswordQueue },
  userId: number,
  password: unknown,
): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const isRight = await passwords.verify(typeof password === 'string' ? password : '', row.password_hash)
  if (!isRight) throw wrongPassword()
  return row.password_hash
}

export const wrongPassword = () => invalid({ password: ['The password is incorrect.'] })
