import type { Clock } from '../../runtime/clock.ts'
import { passwordChangedTemplate } from '../../mail/account-emails.ts'
import { invalid } from '../../errors/refusal.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { partsOf } from '../sign-up/create-account.ts'
import { userById } from '../find-user.ts'
import { type MailingDeps, writerOf } from '../tokens/mailed-link.ts'
import { passwordErrors } from './password.ts'
import type { PasswordQueue } from './password-queue.ts'
import { type Proof, reauthenticate, wrongPassword } from '../sign-in/reauthenticate.ts'
import type { NoticeCount } from '../security-notices.ts'
import { endAllSessions, startSession } from '../sign-in/session.ts'
import { dropTokens } from '../tokens/single-use-token.ts'

type ChangePasswordDeps = MailingDeps &
  NoticeCount & { db: DurableDb; clock: Clock; passwords: PasswordQueue }

export type ChangePasswordInput = { proof: Proof; newPassword: string; device: string }

/** Or sets the first one. Signs out every browser. Returns the token of a new session for the one that made the change. */
export async function changePassword(
  deps: ChangePasswordDeps,
  userId: number,
  { proof, newPassword, device }: ChangePasswordInput,
): Promise<string> {
  const { name, email } = await userById(deps.db, userId)
  const errors = passwordErrors(newPassword, [name, ...partsOf(email)])
  if (errors.length > 0) throw invalid({ new_password: errors })
  const oldHash = await reauthenticate(deps, userId, proof)
  deps.countNotice(userId)
  const passwordHash = await deps.passwords.hash(newPassword)
  const token = await transact(deps.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ password_hash: passwordHash, failed_sign_ins: 0 })
      .where('id', '=', userId)
      .where('password_hash', '=', oldHash)
      .executeTakeFirstOrThrow()
    // Another browser has changed the password in the meantime.
    if (numUpdatedRows === 0n) throw wrongPassword()
    await endAllSessions(tx, userId)
    await dropTokens(tx, userId)
    return startSession({ db: tx, clock: deps.clock }, { userId, device })
  })
  deps.mails.post(passwordChangedTemplate(writerOf(deps), { to: email, name }))
  return token
}
