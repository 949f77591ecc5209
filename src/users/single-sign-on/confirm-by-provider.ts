import { Refusal } from '../../errors/refusal.ts'
import { MINUTE_US } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { confirmSession, type Session } from '../sign-in/session.ts'
import { finishFlow, type FlowDeps, otherBrowser, type ReturnedFlow } from './provider-flow.ts'
import type { ProviderUser } from './provider-user.ts'

/** How far the clocks of the provider and of this server may differ. */
const CLOCK_SKEW_US = MINUTE_US

/**
 * The signed-in user has signed in at the provider again, with an identity that is linked. A provider that says when they did must
 * not mean a sign-in before the flow.
 */
export async function confirmByProvider(
  deps: FlowDeps,
  session: Session,
  returned: ReturnedFlow,
): Promise<void> {
  const { provider, user, userId, startedAtUs } = await finishFlow(deps, returned, 'single-sign-on-confirm')
  if (userId !== session.userId) throw otherBrowser()
  if (!(await isLinked(deps.db, user, userId)))
    throw new Refusal('provider_refused', `This ${provider.name} account is not linked to your account.`)
  if (user.signedInAtUs !== undefined && user.signedInAtUs < startedAtUs - CLOCK_SKEW_US)
    throw new Refusal(
      'provider_refused',
      `${provider.name} did not ask you to sign in. Sign out there, and try again.`,
    )
  await confirmSession(deps, session.id)
}

async function isLinked(db: CurrentDb, user: ProviderUser, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('issuer', '=', user.issuer)
    .where('subject', '=', user.subject)
    .executeTakeFirst()
  return row?.user_id === userId
}
