import type { Clock } from '../../runtime/clock.ts'
import { passwordChangedTemplate, resetPasswordTemplate } from '../../mail/account-emails.ts'
import { invalid } from '../../errors/refusal.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { partsOf } from '../sign-up/create-account.ts'
import { userById } from '../find-user.ts'
import { mailedLink, type MailingDeps, nameToGreet, writerOf } from '../tokens/mailed-link.ts'
import { passwordErrors } from './password.ts'
import type { PasswordQueue } from './password-queue.ts'
import { endAllSessions } from '../sign-in/session.ts'
import {
  dropTokens,
  issueToken,
  ownerOfToken,
  spentToken,
  consumeTokenLocked,
} from '../tokens/single-use-token.ts'

type ForgotDeps = MailingDeps & { db: DurableDb; clock: Clock }

/** Sends a link to set a new password. For an unknown email it does the same work and sends nothing. */
export async function forgotPassword(deps: ForgotDeps, email: string): Promise<void> {
  const account = await deps.db
    .selectFrom('users')
    .select(['id', 'name', 'email_verified_at'])
    .where('email', '=', email)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  const token = await issueToken(deps, { purpose: 'reset-password', userId: account?.id ?? null, email })
  if (account === undefined) return
  const href = mailedLink(deps.baseUrl, 'reset-password', token)
  deps.mails.post(resetPasswordTemplate(writerOf(deps), { to: email, name: nameToGreet(account), href }))
}

type ResetDeps = ForgotDeps & { passwords: PasswordQueue }

/** Signs out every browser. The token was mailed, so the email is verified too. Keeps the second factor. */
export async function resetPassword(
  deps: ResetDeps,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const presented = { purpose: 'reset-password', token } as const
  // Before the expensive hash. Whether the token is still valid is decided when it is used.
  const userId = await ownerOfToken(deps, presented)
  if (userId === undefined) throw spentToken()
  const { name, email } = await userById(deps.db, userId)
  const errors = passwordErrors(password, [name, ...partsOf(email)])
  if (errors.length > 0) throw invalid({ password: errors })
  const passwordHash = await deps.passwords.hash(password)
  const owner = await transact(deps.db, async (tx) => {
    const token = await consumeTokenLocked({ db: tx, clock: deps.clock }, presented)
    if (token === undefined || token.userId === null) throw spentToken()
    const account = await tx
      .updateTable('users')
      .set((eb) => ({
        password_hash: passwordHash,
        failed_sign_ins: 0,
        email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(deps.clock.nowUs())),
      }))
      .where('id', '=', token.userId)
      .where('email', '=', token.email)
      .where('closed_at', 'is', null)
      .returning(['email', 'name'])
      .executeTakeFirst()
    if (account === undefined) throw spentToken()
    await endAllSessions(tx, token.userId)
    await dropTokens(tx, token.userId)
    return account
  })
  deps.mails.post(passwordChangedTemplate(writerOf(deps), { to: owner.email, name: owner.name }))
  return { email: owner.email }
}
