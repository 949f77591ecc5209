import { type Clock, DAY_US } from '../clock.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { mailedLink } from './mailed-link.ts'
import type { PasswordQueue } from './password-queue.ts'
import { reauthenticate } from './reauthenticate.ts'
import { issueToken } from './single-use-token.ts'

/** Longer than that of an email: somebody passes it on by hand. */
const LIFETIME_US = DAY_US

type ResetLinkDeps = { db: Db; clock: Clock; baseUrl: string }
export type ResetLink = { email: string; href: string; expiresAtUs: number }

/**
 * A link to choose a new password, to be handed over where no email goes out. Whoever has it takes over the account, up
 * to its second factor, so callers decide who may ask for it.
 */
export async function makeResetLink(
  { db, clock, baseUrl }: ResetLinkDeps,
  { id, email }: { id: number; email: string },
): Promise<ResetLink> {
  const expiresAtUs = clock.nowUs() + LIFETIME_US
  const token = await issueToken(
    { db, clock },
    { purpose: 'reset-password', accountId: id, email, lifetimeUs: LIFETIME_US },
  )
  return { email, href: mailedLink(baseUrl, 'reset-password', token), expiresAtUs }
}

type OperatorDeps = ResetLinkDeps & { passwords: PasswordQueue; log: Log }

/**
 * The same, asked for by an operator in the dashboard: with the operator's password, and never for an operator, so that
 * a stolen session does not become another operator's account.
 */
export async function makeResetLinkFor(
  deps: OperatorDeps,
  operatorId: number,
  { accountId, password }: { accountId: number; password: unknown },
): Promise<ResetLink> {
  const account = await deps.db
    .selectFrom('accounts')
    .select(['id', 'email', 'role'])
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (account === undefined) throw new Refusal('not-found', 'There is no such account.')
  if (account.role === 'admin') {
    throw new Refusal(
      'forbidden',
      `Reset the password of an operator on the command line: tern account reset-link ${account.email}`,
    )
  }
  await reauthenticate(deps, operatorId, password)
  const link = await makeResetLink(deps, account)
  deps.log.info('An operator created a password reset link.', { operator: operatorId, account: account.id })
  return link
}
