import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import type { Letter } from '../mail/letter.ts'
import { alreadySignedUpLetter, verifyEmailLetter } from '../mail/letters.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import type { Account } from './account.ts'
import { insertAccount, readNewPerson } from './create-account.ts'
import { refuseWithoutInvitation, useInvitation } from './invitations.ts'
import { type MailCount, mailedLink, type MailingDeps, nameToGreet, writerOf } from './mailed-link.ts'
import type { PasswordQueue } from './password-queue.ts'
import { issueToken } from './single-use-token.ts'

export type SignUpMode = 'open' | 'invite' | 'closed'

export type SignUpDeps = MailingDeps & MailCount & { db: Db; clock: Clock; passwords: PasswordQueue }

export type SignUpRules = {
  mode: SignUpMode
  /** Without a mail server the operator could not get at the mail that is needed to read the mail. */
  canMail: boolean
}

export type SignUpInput = Record<'name' | 'email' | 'password' | 'invitation', unknown>

/**
 * Makes an account, and mails a link that verifies its address. Whether the address has an account already is told to
 * its owner by mail and to nobody else: both cases take the same work and give the same answer, undefined. Given back,
 * so that they can be signed in at once, are the very first account, the operator's, and one that was invited by mail.
 */
export async function signUp(
  deps: SignUpDeps,
  rules: SignUpRules,
  input: SignUpInput,
): Promise<Account | undefined> {
  if (rules.mode === 'closed')
    throw new Refusal('forbidden', 'Sign-up is closed. Ask the operator of this server for an invitation.')
  const { password, ...person } = readNewPerson(input)
  const invitation = { token: input.invitation, email: person.email }
  const isInvited = await refuseWithoutInvitation(deps, rules.mode, invitation)
  deps.countMail(person.email)
  const passwordHash = await deps.passwords.hash(password)
  const { entering, letter } = await transact(deps.db, async (tx) => {
    const inTurn = { ...deps, db: tx }
    const account = await insertAccount(inTurn, { ...person, passwordHash, isVerified: isInvited })
    if (isInvited) await useInvitation(inTurn, invitation)
    if (account?.role === 'admin') return welcomeOperator(inTurn, account, rules)
    // The invitation was mailed to this address, so there is nothing to verify any more.
    if (account !== undefined && isInvited) return { entering: account, letter: undefined }
    const made = await (account === undefined
      ? letterToOwner(inTurn, person.email)
      : verificationLetter(inTurn, account))
    return { entering: undefined, letter: made }
  })
  if (letter !== undefined) deps.mails.post(letter)
  return entering
}

type Welcome = { entering: Account | undefined; letter: Letter | undefined }

/** The first account. Nobody can be mailed without a mail server, so its address is taken on trust then. */
async function welcomeOperator(
  deps: SignUpDeps,
  account: Account,
  { canMail }: SignUpRules,
): Promise<Welcome> {
  if (account.emailVerifiedAtUs !== null) return { entering: account, letter: undefined }
  if (canMail) return { entering: account, letter: await verificationLetter(deps, account) }
  const now = deps.clock.nowUs()
  await deps.db.updateTable('accounts').set({ email_verified_at: now }).where('id', '=', account.id).execute()
  return { entering: { ...account, emailVerifiedAtUs: now }, letter: undefined }
}

type LetterDeps = Pick<SignUpDeps, 'db' | 'clock' | 'baseUrl'>

export async function verificationLetter(
  deps: LetterDeps,
  { id, email }: Pick<Account, 'id' | 'email'>,
): Promise<Letter> {
  const token = await issueToken(deps, { purpose: 'verify-email', accountId: id, email })
  const href = mailedLink(deps.baseUrl, 'verify-email', token)
  return verifyEmailLetter(writerOf(deps), { to: email, href })
}

async function letterToOwner(deps: LetterDeps, email: string): Promise<Letter> {
  const owner = await deps.db
    .selectFrom('accounts')
    .select(['id', 'name', 'email_verified_at'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const token = await issueToken(deps, { purpose: 'reset-password', accountId: owner.id, email })
  const href = mailedLink(deps.baseUrl, 'reset-password', token)
  return alreadySignedUpLetter(writerOf(deps), { to: email, name: nameToGreet(owner), href })
}
