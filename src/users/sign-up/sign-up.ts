import type { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { EmailTemplate } from '../../mail/email-template.ts'
import { alreadySignedUpTemplate, verifyEmailTemplate } from '../../mail/account-emails.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { Account } from '../account.ts'
import { insertAccount, newUser } from './create-account.ts'
import { wasMailed } from '../members/invitation-token.ts'
import {
  findWorkspaceInvitation,
  joinWorkspace,
  type WorkspaceInvitation,
} from '../members/join-workspace.ts'
import { refuseOtherWays } from '../single-sign-on/only-way.ts'
import { invitationField, otherAddress, refuseWithoutInvitation, useInvitation } from './invitations.ts'
import { type MailCount, mailedLink, type MailingDeps, nameToGreet, writerOf } from '../tokens/mailed-link.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { issueToken } from '../tokens/single-use-token.ts'

export const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

export type SignUpDeps = MailingDeps & MailCount & { db: DurableDb; clock: Clock; passwords: PasswordQueue }

export type SignUpRules = {
  mode: SignUpMode
  /** Only providers of single sign-on may create users. */
  oidcOnly: boolean
  /** Without a mail server the first operator cannot receive a verification email. */
  canMail: boolean
}

export const signUpBody = newUser.safeExtend({ invitation: invitationField })
export type SignUpInput = z.output<typeof signUpBody> & { device: string }

/**
 * Creates an account and sends a link that verifies its email. If the email has an account already, only its owner learns
 * of it, by email: both cases do the same work and return undefined. The very first account, the operator's, and an invited
 * one are returned, because they can be signed in at once.
 */
export async function signUp(
  deps: SignUpDeps,
  rules: SignUpRules,
  { password, invitation: token, device, ...person }: SignUpInput,
): Promise<Account | undefined> {
  refuseOtherWays(rules, 'user')
  const invitedTo = await findWorkspaceInvitation(deps, token)
  if (rules.mode === 'closed' && invitedTo === undefined)
    throw new Refusal(
      'sign_up_closed',
      'Sign-up is closed. Ask the operator of this server for an invitation.',
    )
  const invitation = { token, email: person.email }
  const admission = await admit(deps, rules, { ...invitation, invitedTo })
  deps.countMail(person.email)
  const passwordHash = await deps.passwords.hash(password)
  const { entering, letter } = await transact(deps.db, async (tx) => {
    const inTurn = { ...deps, db: tx }
    const { isInvited, isVerified } = admission
    const account = await insertAccount(inTurn, { ...person, passwordHash, isVerified })
    if (isInvited) await useInvitation(inTurn, invitation)
    if (account !== undefined && invitedTo !== undefined)
      await joinWorkspace(inTurn, { ...account, ...invitation, device })
    if (account?.role === 'admin') return welcomeOperator(inTurn, account, rules)
    if (account !== undefined && isVerified) return { entering: account, letter: undefined }
    const result = await (account === undefined
      ? letterToOwner(inTurn, person.email)
      : verificationEmail(inTurn, account))
    return { entering: undefined, letter: result }
  })
  if (letter !== undefined) deps.mails.post(letter)
  return entering
}

type Presented = { token: string; email: string; invitedTo: WorkspaceInvitation | undefined }

/** `isInvited`: by the operator. `isVerified`: the invitation was sent to this email, so its reader owns it. */
async function admit(
  deps: Pick<SignUpDeps, 'db' | 'clock'>,
  { mode, canMail }: SignUpRules,
  { token, email, invitedTo }: Presented,
): Promise<{ isInvited: boolean; isVerified: boolean }> {
  if (invitedTo === undefined) {
    const isInvited = await refuseWithoutInvitation(deps, mode, { token, email })
    return { isInvited, isVerified: isInvited }
  }
  if (invitedTo.email !== email) throw otherAddress()
  // A copied link proves nothing, but without a mail server there is nothing that would prove more.
  return { isInvited: false, isVerified: wasMailed(token) || !canMail }
}

type Welcome = { entering: Account | undefined; letter: EmailTemplate | undefined }

/** The first account. Without a mail server its email cannot be verified, and is trusted. */
async function welcomeOperator(
  deps: LetterDeps,
  account: Account,
  { canMail }: SignUpRules,
): Promise<Welcome> {
  if (account.emailVerifiedAtUs !== null) return { entering: account, letter: undefined }
  if (canMail) return { entering: account, letter: await verificationEmail(deps, account) }
  const now = deps.clock.nowUs()
  await deps.db
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', account.userId)
    .execute()
  return { entering: { ...account, emailVerifiedAtUs: now }, letter: undefined }
}

type LetterDeps = Pick<SignUpDeps, 'clock' | 'baseUrl'> & { db: DurableDb | Tx }

export async function verificationEmail(
  deps: LetterDeps,
  { userId, email }: Pick<Account, 'userId' | 'email'>,
): Promise<EmailTemplate> {
  const token = await issueToken(deps, { purpose: 'verify-email', userId, email })
  const href = mailedLink(deps.baseUrl, 'verify-email', token)
  return verifyEmailTemplate(writerOf(deps), { to: email, href })
}

async function letterToOwner(deps: LetterDeps, email: string): Promise<EmailTemplate> {
  const owner = await deps.db
    .selectFrom('users')
    .select(['id', 'name', 'email_verified_at'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const token = await issueToken(deps, { purpose: 'reset-password', userId: owner.id, email })
  const href = mailedLink(deps.baseUrl, 'reset-password', token)
  return alreadySignedUpTemplate(writerOf(deps), { to: email, name: nameToGreet(owner), href })
}
