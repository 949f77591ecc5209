import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { signInPausedTemplate } from '../../mail/account-emails.ts'
import { invalid } from '../../errors/refusal.ts'
import type { CurrentDb, DurableDb, RelaxedDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { canSignIn } from '../../workspaces/members.ts'
import { suspendedAccount } from '../../workspaces/workspace.ts'
import { comparedText, textOrNone } from '../../validation/field-rules.ts'
import { presentedEmail } from '../email.ts'
import { mailedLink, type MailingDeps, nameToGreet, writerOf } from '../tokens/mailed-link.ts'
import { isOutdatedHash } from '../password/password.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { startSession } from './session.ts'
import { issueToken } from '../tokens/single-use-token.ts'
import { useSecondFactor, WRONG_CODE } from '../second-factor/two-factor.ts'
import { refuseOtherWays } from '../single-sign-on/only-way.ts'

/**
 * After this many consecutive wrong passwords from anywhere, the password stops working (NIST SP 800-63B-4, 3.2.2), and the user
 * gets an email with a link to set a new one. Emailed links and passkeys still work, so nobody can lock a user out.
 */
const FAILURES_MAX = 100

export type SignInDeps = MailingDeps & {
  db: DurableDb
  relaxedDb: RelaxedDb
  clock: Clock
  passwords: PasswordQueue
  config: { oidcOnly: boolean }
}

export const signInBody = z.object({
  email: presentedEmail,
  password: comparedText,
  code: textOrNone(WRONG_CODE),
})
export type SignInInput = z.output<typeof signInBody> & { device: string }

/** The token of the new session, or what is missing. */
export type SignInOutcome = { token: string } | 'needs-code'

/** With email and password, and a code if the user has a second factor. */
export async function signIn(
  deps: SignInDeps,
  { email, password, code, device }: SignInInput,
): Promise<SignInOutcome> {
  const user = await userToSignIn(deps.db, email)
  const isTooOften = (user?.failed_sign_ins ?? 0) >= FAILURES_MAX
  const isRight = await deps.passwords.verify(password, isTooOften ? undefined : user?.password_hash)
  if (user === undefined || !isRight) {
    await noteFailure(deps, email)
    throw wrongAddressOrPassword()
  }
  refuseOtherWays(deps.config, user.role)
  if (!user.can_sign_in) throw suspendedAccount()
  if (user.totp_enabled_at !== null) {
    if (code === '') return 'needs-code'
    if (!(await useSecondFactor(deps, user.id, code))) {
      await noteFailure(deps, email)
      throw invalid({ code: [WRONG_CODE] })
    }
  }
  const passwordHash = await currentHash(deps, user, password)
  const token = await enter(deps, { userId: user.id, device, passwordHash })
  if (token === undefined) throw wrongAddressOrPassword()
  return { token }
}

/** The same message for an unknown email and a wrong password. */
const wrongAddressOrPassword = () => invalid({ email: ['The email or password is incorrect.'] })

type Entering = { userId: number; device: string; passwordHash?: string }

/**
 * Signs in a user who has been identified. Undefined if the account was suspended or deleted, or the given password
 * changed, in the meantime.
 */
export async function enter(
  { db, clock }: { db: DurableDb; clock: Clock },
  { userId, device, passwordHash }: Entering,
): Promise<string | undefined> {
  return transact(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ failed_sign_ins: 0, last_signed_in_at: clock.nowUs() })
      .where('id', '=', userId)
      .where('closed_at', 'is', null)
      .where(canSignIn)
      .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash!))
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n ? undefined : startSession({ db: tx, clock }, { userId, device })
  })
}

function userToSignIn(db: CurrentDb, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash', 'failed_sign_ins', 'totp_enabled_at', 'role'])
    .select(canSignIn.as('can_sign_in'))
    .where('email', '=', email)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
}

/** After too many wrong passwords and codes. */
export async function isPaused(db: CurrentDb, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('failed_sign_ins')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.failed_sign_ins >= FAILURES_MAX
}

/** An unknown email runs the same statement, which finds no row. */
export async function noteFailure(deps: SignInDeps, email: string): Promise<void> {
  const row = await deps.relaxedDb
    .updateTable('users')
    .set((eb) => ({ failed_sign_ins: eb('failed_sign_ins', '+', 1) }))
    .where('email', '=', email)
    .returning(['id', 'name', 'email_verified_at', 'failed_sign_ins'])
    .executeTakeFirst()
  if (row?.failed_sign_ins !== FAILURES_MAX) return
  const token = await issueToken(deps, { purpose: 'reset-password', userId: row.id, email })
  const href = mailedLink(deps.baseUrl, 'reset-password', token)
  deps.mails.post(signInPausedTemplate(writerOf(deps), { to: email, name: nameToGreet(row), href }))
}

/** Rehashes a password whose hash was made with other parameters, unless it was changed in the meantime. */
async function currentHash(
  { db, passwords }: SignInDeps,
  { id, password_hash: hash }: { id: number; password_hash: string },
  password: string,
): Promise<string> {
  if (!isOutdatedHash(hash)) return hash
  const renewed = await passwords.hash(password)
  await db
    .updateTable('users')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .execute()
  return renewed
}
