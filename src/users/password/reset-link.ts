import { type Clock, DAY_US } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { DurableDb } from '../../store/handles.ts'
import { mailedLink } from '../tokens/mailed-link.ts'
import type { PasswordQueue } from './password-queue.ts'
import { type Proof, reauthenticate } from '../sign-in/reauthenticate.ts'
import { issueToken } from '../tokens/single-use-token.ts'

/** Longer than for an email, because somebody passes the link on by hand. */
const LIFETIME_US = DAY_US

type ResetLinkDeps = { db: DurableDb; clock: Clock; baseUrl: string }
export type ResetLink = { email: string; href: string; expiresAtUs: number }

/**
 * A link to set a new password, for servers that send no email. Its holder can take over the account, except for the second
 * factor, so callers must check who asks for it.
 */
export async function makeResetLink(
  { db, clock, baseUrl }: ResetLinkDeps,
  { userId, email }: { userId: number; email: string },
): Promise<ResetLink> {
  const expiresAtUs = clock.nowUs() + LIFETIME_US
  const token = await issueToken(
    { db, clock },
    { purpose: 'reset-password', userId, email, lifetimeUs: LIFETIME_US },
  )
  return { email, href: mailedLink(baseUrl, 'reset-password', token), expiresAtUs }
}

type OperatorDeps = ResetLinkDeps & { passwords: PasswordQueue; log: Log }

/**
 * The same for an operator in the dashboard. The operator proves who they are, and it never creates a link for an operator, so that a
 * stolen session cannot take over another operator's account.
 */
export async function makeResetLinkFor(
  deps: OperatorDeps,
  operatorId: number,
  { userId, proof }: { userId: number; proof: Proof },
): Promise<ResetLink> {
  const user = await deps.db
    .selectFrom('users')
    .select(['id as userId', 'email', 'role'])
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined) throw new Refusal('account_not_found', 'There is no such account.')
  if (user.role === 'admin') {
    throw new Refusal(
      'operator_required',
      `Reset the password of an operator on the command line: tern account reset-link ${user.email}`,
    )
  }
  await reauthenticate(deps, operatorId, proof)
  const link = await makeResetLink(deps, user)
  deps.log.info('An operator created a password reset link.', { operator: operatorId, account: userId })
  return link
}
