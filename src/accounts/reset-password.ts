import type { Clock } from '../clock.ts'
import { passwordChangedLetter, resetPasswordLetter } from '../mail/letters.ts'
import { invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { partsOf } from './create-account.ts'
import { readEmail } from './email.ts'
import { accountById } from './find-account.ts'
import { mailedLink, type MailingDeps, nameToGreet, writerOf } from './mailed-link.ts'
import { passwordFaults } from './password.ts'
import type { PasswordQueue } from './password-queue.ts'
import { readSecret } from './secret-text.ts'
import { endAllSessions } from './session.ts'
import { dropTokens, issueToken, ownerOfToken, spentToken, takeTokenInTurn } from './single-use-token.ts'

type ForgotDeps = MailingDeps & { db: Db; clock: Clock }

/** Mails a link to choose a new password. For an unknown address the same work, and no mail. */
export async function forgotPassword(deps: ForgotDeps, input: unknown): Promise<void> {
  const email = readEmail(input)
  const account = await deps.db
    .selectFrom('accounts')
    .select(['id', 'name', 'email_verified_at'])
    .where('email', '=', email)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  const token = await issueToken(deps, { purpose: 'reset-password', accountId: account?.id ?? null, email })
  if (account === undefined) return
  const href = mailedLink(deps.baseUrl, 'reset-password', token)
  deps.mails.post(resetPasswordLetter(writerOf(deps), { to: email, name: nameToGreet(account), href }))
}

type ResetDeps = ForgotDeps & { passwords: PasswordQueue }

/**
 * Sets the password by the mailed link's token, and signs every browser out. Who has the token has read the mail, so
 * the address is verified by it too. A second factor stays.
 */
export async function resetPassword(
  deps: ResetDeps,
  { token, password }: { token: unknown; password: unknown },
): Promise<{ email: string }> {
  const presented = { purpose: 'reset-password', token: readSecret(token) } as const
  // Before the expensive part; whether it is still good is decided when it is used.
  const accountId = await ownerOfToken(deps, presented)
  if (accountId === undefined) throw spentToken()
  const { name, email } = await accountById(deps.db, accountId)
  const faults = passwordFaults(password, [name, ...partsOf(email)])
  if (faults.length > 0) throw invalid({ password: faults })
  const passwordHash = await deps.passwords.hash(password as string)
  const owner = await transact(deps.db, async (tx) => {
    const taken = await takeTokenInTurn({ db: tx, clock: deps.clock }, presented)
    if (taken === undefined || taken.accountId === null) throw spentToken()
    const account = await tx
      .updateTable('accounts')
      .set((eb) => ({
        password_hash: passwordHash,
        failed_sign_ins: 0,
        email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(deps.clock.nowUs())),
      }))
      .where('id', '=', taken.accountId)
      .where('email', '=', taken.email)
      .where('closed_at', 'is', null)
      .returning(['email', 'name'])
      .executeTakeFirst()
    if (account === undefined) throw spentToken()
    await endAllSessions(tx, taken.accountId)
    await dropTokens(tx, taken.accountId)
    return account
  })
  deps.mails.post(passwordChangedLetter(writerOf(deps), { to: owner.email, name: owner.name }))
  return { email: owner.email }
}
