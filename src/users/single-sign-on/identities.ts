import type { OidcProvider } from '../../config/oidc-providers.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AnyDb, DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { lockUser, userById } from '../find-user.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { type NoticeCount, notifyIdentityLinked } from '../security-notices.ts'
import { type Proof, reauthenticate } from '../sign-in/reauthenticate.ts'
import type { MailingDeps } from '../tokens/mailed-link.ts'
import type { ProviderUser } from './provider-user.ts'
import { refuseWithoutWayIn, type WaysInSettings } from './ways-in.ts'

export type Identity = {
  issuer: string
  subject: string
  email: string
  createdAtUs: number
  lastUsedAtUs: number
}

/** Where a user signs in besides here. */
export function listIdentities(db: AnyDb, userId: number): Promise<Identity[]> {
  return db
    .selectFrom('user_identities')
    .select(['issuer', 'subject', 'email', 'created_at as createdAtUs', 'last_used_at as lastUsedAtUs'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('issuer')
    .execute()
}

type LinkDeps = MailingDeps & NoticeCount & { db: DurableDb; clock: Clock }
type Linking = { user: ProviderUser; provider: OidcProvider; device: string }

/** Of a user who proved who they are when the flow began. */
export async function linkIdentity(
  deps: LinkDeps,
  userId: number,
  { user, provider, device }: Linking,
): Promise<void> {
  deps.countNotice(userId)
  await transact(deps.db, async (tx) => {
    await lockUser(tx, userId)
    const identity = await tx
      .selectFrom('user_identities')
      .select('subject')
      .where('user_id', '=', userId)
      .where('issuer', '=', user.issuer)
      .executeTakeFirst()
    if (identity !== undefined)
      throw new Refusal('identity_linked', `Your account is already linked to ${provider.name}.`)
    const isNew = await insertIdentity(tx, { userId, user, nowUs: deps.clock.nowUs() })
    if (!isNew)
      throw new Refusal('identity_linked', `This ${provider.name} account is linked to another user.`)
  })
  const { email, name } = await userById(deps.db, userId)
  notifyIdentityLinked(deps, { email, name }, { device, provider: provider.name })
}

type NewIdentity = { userId: number; user: ProviderUser; nowUs: number }

/** False if it belongs to somebody already. */
export async function insertIdentity(
  tx: Tx,
  { userId, user: { issuer, subject, email }, nowUs }: NewIdentity,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_identities')
    .values({ issuer, subject, user_id: userId, email, created_at: nowUs, last_used_at: nowUs })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

type UnlinkDeps = { db: DurableDb; passwords: PasswordQueue; config: WaysInSettings }

/** Another way to sign in stays: where providers are the only way (OIDC_ONLY), another identity, except for operators. */
export async function unlinkIdentity(
  { db, passwords, config }: UnlinkDeps,
  userId: number,
  { issuer, proof }: { issuer: string; proof: Proof },
): Promise<void> {
  await reauthenticate({ db, passwords }, userId, proof)
  await transact(db, async (tx) => {
    await lockUser(tx, userId)
    const { numDeletedRows } = await tx
      .deleteFrom('user_identities')
      .where('user_id', '=', userId)
      .where('issuer', '=', issuer)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new Refusal('identity_not_found', 'Identity not found.')
    await refuseWithoutWayIn(tx, config, userId)
  })
}
