import type { Clock } from '../clock.ts'
import { passwordChangedLetter } from '../mail/letters.ts'
import { invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { partsOf } from './create-account.ts'
import { accountById } from './find-account.ts'
import { type MailingDeps, writerOf } from './mailed-link.ts'
import { passwordFaults } from './password.ts'
import type { PasswordQueue } from './password-queue.ts'
import { reauthenticate, wrongPassword } from './reauthenticate.ts'
import type { NoticeCount } from './security-notices.ts'
import { endAllSessions, startSession } from './session.ts'
import { dropTokens } from './single-use-token.ts'

type ChangePasswordDeps = MailingDeps & NoticeCount & { db: Db; clock: Clock; passwords: PasswordQueue }

export type ChangePasswordInput = { password: unknown; newPassword: unknown; device: string }

/** Signs every browser out; the one that asked goes on with a new session, whose token is given back. */
export async function changePassword(
  deps: ChangePasswordDeps,
  accountId: number,
  { password, newPassword, device }: ChangePasswordInput,
): Promise<string> {
  const { name, email } = await accountById(deps.db, accountId)
  const faults = passwordFaults(newPassword, [name, ...partsOf(email)])
  if (faults.length > 0) throw invalid({ new_password: faults })
  const oldHash = await reauthenticate(deps, accountId, password)
  deps.countNotice(accountId)
  const passwordHash = await deps.passwords.hash(newPassword as string)
  const token = await transact(deps.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ password_hash: passwordHash, failed_sign_ins: 0 })
      .where('id', '=', accountId)
      .where('password_hash', '=', oldHash)
      .executeTakeFirstOrThrow()
    // Another browser, with the same old password, was quicker.
    if (numUpdatedRows === 0n) throw wrongPassword()
    await endAllSessions(tx, accountId)
    await dropTokens(tx, accountId)
    return startSession({ db: tx, clock: deps.clock }, { accountId, device })
  })
  deps.mails.post(passwordChangedLetter(writerOf(deps), { to: email, name }))
  return token
}
