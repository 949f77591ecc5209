import type { OidcProvider } from '../../config/oidc-providers.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CurrentDb, DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { insertAccount } from '../sign-up/create-account.ts'
import type { SignUpMode } from '../sign-up/sign-up.ts'
import { insertIdentity } from './identities.ts'
import type { ProviderUser } from './provider-user.ts'

export type SignUpSettings = { signUp: SignUpMode; oidcOnly: boolean }

type CreateDeps = { db: DurableDb; clock: Clock; config: SignUpSettings }

/** A user without a password, whose email the provider has verified. Refused where sign-up needs an invitation. */
export async function createProviderUser(
  { db, clock, config }: CreateDeps,
  provider: OidcProvider,
  user: ProviderUser,
): Promise<number> {
  const { email, name } = user
  const nowUs = clock.nowUs()
  await refuseKnownEmail(db, provider, email)
  if (config.signUp !== 'open' && !(await isInvited(db, { email, nowUs }))) throw notInvited(email)
  return transact(db, async (tx) => {
    const account = await insertAccount(
      { db: tx, clock },
      { name, email, passwordHash: '', isVerified: true },
    )
    if (account === undefined) throw knownEmail(provider, email)
    const isNew = await insertIdentity(tx, { userId: account.userId, user, nowUs })
    // Another browser of the same user was faster.
    if (!isNew) throw new Refusal('account_exists', 'Your account was just created. Sign in again.')
    await tx.deleteFrom('invitations').where('email', '=', email).execute()
    return account.userId
  })
}

async function refuseKnownEmail(db: CurrentDb, provider: OidcProvider, email: string): Promise<void> {
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (user !== undefined) throw knownEmail(provider, email)
}

/** The owner of an address at the provider need not be the user who signed up with it here. */
const knownEmail = ({ name }: OidcProvider, email: string) =>
  new Refusal(
    'account_exists',
    `${email} has an account here that is not linked to ${name}. Sign in to it with your password or passkey, then link ${name} under Account, Security.`,
  )

/** By the operator, or into a workspace. The invitation of a workspace is still to be accepted. */
async function isInvited(
  db: CurrentDb,
  { email, nowUs }: { email: string; nowUs: number },
): Promise<boolean> {
  const byOperator = await db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('expires_at', '>', nowUs)
    .executeTakeFirst()
  if (byOperator !== undefined) return true
  const intoWorkspace = await db
    .selectFrom('workspace_invitations as invited')
    .innerJoin('workspaces', 'workspaces.id', 'invited.workspace_id')
    .select('invited.id')
    .where('invited.email', '=', email)
    .where('invited.expires_at', '>', nowUs)
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return intoWorkspace !== undefined
}

const notInvited = (email: string) =>
  new Refusal(
    'sign_up_closed',
    `Sign-up needs an invitation, and there is none for ${email}. Ask the operator.`,
  )
