import type { OidcProvider } from '../../config/oidc-providers.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Tx } from '../../store/handles.ts'
import { userById } from '../find-user.ts'

export type WaysInSettings = { oidcOnly: boolean; oidcProviders: readonly OidcProvider[] }

/** After a way to sign in was removed, in its transaction: another one stays, without a mailed link. */
export async function refuseWithoutWayIn(tx: Tx, config: WaysInSettings, userId: number): Promise<void> {
  const { role, hasPassword } = await userById(tx, userId)
  const takesOthers = !config.oidcOnly || role === 'admin'
  if (takesOthers && (hasPassword || (await hasPasskey(tx, userId)))) return
  if (await hasIdentity(tx, config, userId)) return
  const others = takesOthers
    ? 'Link another account, add a passkey or set a password'
    : 'Link another account'
  throw new Refusal('last_sign_in_method', `You could not sign in any more. ${others} first.`)
}

async function hasPasskey(tx: Tx, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** At a provider that is still set. */
async function hasIdentity(tx: Tx, { oidcProviders }: WaysInSettings, userId: number): Promise<boolean> {
  const rows = await tx.selectFrom('user_identities').select('issuer').where('user_id', '=', userId).execute()
  return rows.some((row) => oidcProviders.some(({ issuer }) => issuer === row.issuer))
}
