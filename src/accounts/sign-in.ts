import type { Clock } from '../clock.ts'
import { signInPausedLetter } from '../mail/letters.ts'
import { invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { suspendedAccount } from './account.ts'
import { readEmail } from './email.ts'
import { mailedLink, type MailingDeps, nameToGreet, writerOf } from './mailed-link.ts'
import { isOutdatedHash } from './password.ts'
import type { PasswordQueue } from './password-queue.ts'
import { startSession } from './session.ts'
import { issueToken } from './single-use-token.ts'
import { takeSecondFactor } from './two-factor.ts'

/**
 * So many wrong passwords in a row, from wherever, and the password is taken no more (NIST SP 800-63B-4, 3.2.2): its
 * owner gets a mail with a link to another one. Nobody is shut out by it who can read the mail or has a passkey.
 */
export const FAILURES_MAX = 100

export type SignInDeps = MailingDeps & { db: Db; quickDb: Db; clock: Clock; passwords: PasswordQueue }

export type SignInInput = { email: unknown; password: unknown; code: unknown; device: string }

/** The token of the new session, or what is missing. */
export type SignInOutcome = { token: string } | 'needs-code'

/** By address and password, and a code where the account has a second factor. */
export async function signIn(
  deps: SignInDeps,
  { email, password, code, device }: SignInInput,
): Promise<SignInOutcome> {
  const address = readEmail(email)
  const text = typeof password === 'string' ? password : ''
  const account = await accountToSignIn(deps.db, address)
  const isPaused = (account?.failed_sign_ins ?? 0) >= FAILURES_MAX
  const isRight = await deps.passwords.verify(text, isPaused ? undefined : account?.password_hash)
  if (account === undefined || !isRight) {
    await noteFailure(deps, address)
    throw wrongAddressOrPassword()
  }
  if (account.suspended_at !== null) throw suspendedAccount()
  if (account.totp_enabled_at !== null) {
    if (code === undefined || code === null || code === '') return 'needs-code'
    if (!(await takeSecondFactor(deps, account.id, code))) {
      await noteFailure(deps, address)
      throw invalid({ code: ['The code is wrong or was already used.'] })
    }
  }
  const passwordHash = await currentHash(deps, account, text)
  const token = await enter(deps, { accountId: account.id, device, passwordHash })
  if (token === undefined) throw wrongAddressOrPassword()
  return { token }
}

/** One sentence for an unknown address and a wrong password. */
const wrongAddressOrPassword = () => invalid({ email: ['The email or password is incorrect.'] })

type Entering = { accountId: number; device: string; passwordHash?: string }

/**
 * Signs in whoever has shown who they are; undefined when that is worth nothing any more: the account was suspended or
 * deleted meanwhile, or the password, where that was shown, has been changed.
 */
export async function enter(
  { db, clock }: { db: Db; clock: Clock },
  { accountId, device, passwordHash }: Entering,
): Promise<string | undefined> {
  return transact(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ failed_sign_ins: 0, last_signed_in_at: clock.nowUs() })
      .where('id', '=', accountId)
      .where('suspended_at', 'is', null)
      .where('closed_at', 'is', null)
      .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash!))
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n ? undefined : startSession({ db: tx, clock }, { accountId, device })
  })
}

function accountToSignIn(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'password_hash', 'failed_sign_ins', 'suspended_at', 'totp_enabled_at'])
    .where('email', '=', email)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
}

/** For an unknown address the same statement, which finds no row. */
async function noteFailure(deps: SignInDeps, email: string): Promise<void> {
  const row = await deps.quickDb
    .updateTable('accounts')
    .set((eb) => ({ failed_sign_ins: eb('failed_sign_ins', '+', 1) }))
    .where('email', '=', email)
    .returning(['id', 'name', 'email_verified_at', 'failed_sign_ins'])
    .executeTakeFirst()
  if (row?.failed_sign_ins !== FAILURES_MAX) return
  const token = await issueToken(deps, { purpose: 'reset-password', accountId: row.id, email })
  const href = mailedLink(deps.baseUrl, 'reset-password', token)
  deps.mails.post(signInPausedLetter(writerOf(deps), { to: email, name: nameToGreet(row), href }))
}

/** The hash that stands for the password: one that was made with other costs is made anew, unless it was replaced. */
async function currentHash(
  { db, passwords }: SignInDeps,
  { id, password_hash: hash }: { id: number; password_hash: string },
  password: string,
): Promise<string> {
  if (!isOutdatedHash(hash)) return hash
  const renewed = await passwords.hash(password)
  await db
    .updateTable('accounts')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .execute()
  return renewed
}
