import type { OidcProvider } from '../../config/oidc-providers.ts'
import { invalid } from '../../errors/refusal.ts'
import type { CurrentDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { canSignIn } from '../../workspaces/members.ts'
import { suspendedAccount } from '../../workspaces/workspace.ts'
import { userById } from '../find-user.ts'
import { useSecondFactor, WRONG_CODE } from '../second-factor/two-factor.ts'
import type { NoticeCount } from '../security-notices.ts'
import { enter, isPaused, noteFailure, type SignInDeps } from '../sign-in/sign-in.ts'
import { consumeToken, issueToken, ownerOfToken } from '../tokens/single-use-token.ts'
import { applyGroupRoles } from './group-roles.ts'
import { linkIdentity } from './identities.ts'
import { createProviderUser, type SignUpSettings } from './create-provider-user.ts'
import { finishFlow, type FlowDeps, type ReturnedFlow } from './provider-flow.ts'
import type { ProviderUser } from './provider-user.ts'

export type ProviderSignInDeps = SignInDeps & FlowDeps & NoticeCount & { config: SignUpSettings }

/** `codeToken` replaces the token of the flow, until the user has entered a code. */
export type ProviderOutcome = { token: string } | { codeToken: string } | 'linked'

/**
 * Signs in the user whose identity it is, creates one, or links the identity to the user who began the flow for that. A user who
 * has the same email is not taken for the same: they link the identity in their account, signed in.
 */
export async function signInByProvider(
  deps: ProviderSignInDeps,
  { device, ...returned }: ReturnedFlow & { device: string },
): Promise<ProviderOutcome> {
  const { provider, user, userId: linkTo } = await finishFlow(deps, returned, 'single-sign-on')
  if (linkTo !== null) {
    await linkIdentity(deps, linkTo, { user, provider, device })
    return 'linked'
  }
  const userId = (await userOfIdentity(deps.db, user)) ?? (await createProviderUser(deps, provider, user))
  await noteUse(deps, { userId, user, provider })
  // The provider takes the place of the password, not that of the second factor.
  if ((await userById(deps.db, userId)).hasSecondFactor)
    return { codeToken: await issueToken(deps, { purpose: 'single-sign-on-code', userId }) }
  return { token: await enterOpen(deps, { userId, device }) }
}

type Coding = { codeToken: string | undefined; code: string; device: string }

/** Whose code is asked for. */
export async function userToEnterCode(
  deps: ProviderSignInDeps,
  codeToken: string | undefined,
): Promise<number> {
  const userId = await ownerOfToken(deps, { purpose: 'single-sign-on-code', token: codeToken ?? '' })
  if (userId === undefined) throw expiredCode()
  return userId
}

/** The second step of a user with a second factor. */
export async function enterProviderCode(
  deps: ProviderSignInDeps,
  { codeToken = '', code, device }: Coding,
): Promise<string> {
  const userId = await userToEnterCode(deps, codeToken)
  const { email } = await userById(deps.db, userId)
  if ((await isPaused(deps.db, userId)) || !(await useSecondFactor(deps, userId, code))) {
    await noteFailure(deps, email)
    throw invalid({ code: [WRONG_CODE] })
  }
  const tokenRow = await consumeToken(deps, { purpose: 'single-sign-on-code', token: codeToken })
  if (tokenRow === undefined) throw expiredCode()
  return enterOpen(deps, { userId, device })
}

const expiredCode = () => invalid({ code: ['This sign-in has expired. Sign in again.'] })

async function enterOpen(
  deps: ProviderSignInDeps,
  entering: { userId: number; device: string },
): Promise<string> {
  const token = await enter(deps, entering)
  if (token === undefined) throw suspendedAccount()
  return token
}

async function userOfIdentity(db: CurrentDb, { issuer, subject }: ProviderUser): Promise<number | undefined> {
  const row = await db
    .selectFrom('user_identities')
    .innerJoin('users', 'users.id', 'user_identities.user_id')
    .select('users.id')
    .select(canSignIn.as('can_sign_in'))
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst()
  if (row !== undefined && !row.can_sign_in) throw suspendedAccount()
  return row?.id
}

type Used = { userId: number; user: ProviderUser; provider: OidcProvider }

async function noteUse(
  { db, clock, log }: ProviderSignInDeps,
  { userId, user, provider }: Used,
): Promise<void> {
  const { issuer, subject, email, groups } = user
  const nowUs = clock.nowUs()
  await transact(db, async (tx: Tx) => {
    await tx
      .updateTable('user_identities')
      .set({ email, last_used_at: nowUs })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .execute()
    await applyGroupRoles(tx, log, { userId, email, groups, provider, nowUs })
  })
}
