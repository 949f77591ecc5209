import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { invalid } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CurrentDb, DurableDb } from '../../store/handles.ts'
import { canSignIn } from '../../workspaces/members.ts'
import { suspendedAccount } from '../../workspaces/workspace.ts'
import { passkeyLibrary } from './passkey-library.ts'
import { badPasskey, passkeyResponse, refuseWithoutName, transportsOf } from './passkeys.ts'
import { refuseOtherWays } from '../single-sign-on/only-way.ts'
import { confirmSession, type Session } from '../sign-in/session.ts'
import { enter } from '../sign-in/sign-in.ts'
import { issueToken, consumeToken } from '../tokens/single-use-token.ts'

type PasskeySignInDeps = { db: DurableDb; clock: Clock; baseUrl: string; config: { oidcOnly: boolean } }

/** What a browser needs to use a passkey. It names no user: the passkey does. */
export async function passkeySignInOptions(
  deps: PasskeySignInDeps,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { rpID } = refuseWithoutName(deps.baseUrl)
  const challenge = await issueToken(deps, { purpose: 'passkey-sign-in', userId: null })
  const { generateAuthenticationOptions } = await passkeyLibrary()
  return generateAuthenticationOptions({
    rpID,
    challenge: Uint8Array.fromBase64(challenge, { alphabet: 'base64url' }),
    userVerification: 'required',
  })
}

export const passkeyBody = z.object({ response: passkeyResponse<AuthenticationResponseJSON>() })

/** A passkey counts as both factors: a device, unlocked by a PIN or a fingerprint. */
export async function signInByPasskey(
  deps: PasskeySignInDeps,
  { response, device }: z.output<typeof passkeyBody> & { device: string },
): Promise<string> {
  const passkey = await presentedPasskey(deps, response)
  if (!passkey.can_sign_in) throw suspendedAccount()
  const token = await enter(deps, { userId: passkey.user_id, device })
  if (token === undefined) throw badPasskey()
  return token
}

/** The signed-in user confirms that it is them. */
export async function confirmByPasskey(
  deps: PasskeySignInDeps,
  session: Session,
  response: AuthenticationResponseJSON,
): Promise<void> {
  const passkey = await presentedPasskey(deps, response)
  if (passkey.user_id !== session.userId)
    throw invalid({ response: ['This passkey belongs to another account.'] })
  await confirmSession(deps, session.id)
}

/** Refused unless the browser has proved that it has the passkey. */
async function presentedPasskey(
  deps: PasskeySignInDeps,
  response: AuthenticationResponseJSON,
): Promise<StoredPasskey> {
  const passkey = await passkeyOf(deps.db, response.id)
  const isRight = passkey !== undefined && (await isVerified(deps, passkey, response))
  if (!isRight) throw badPasskey()
  refuseOtherWays(deps.config, passkey.role)
  return passkey
}

type StoredPasskey = NonNullable<Awaited<ReturnType<typeof passkeyOf>>>

function passkeyOf(db: CurrentDb, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .select('users.role')
    .select(canSignIn.as('can_sign_in'))
    .where('passkeys.credential_id', '=', credentialId)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst()
}

async function isVerified(
  deps: PasskeySignInDeps,
  passkey: StoredPasskey,
  response: AuthenticationResponseJSON,
): Promise<boolean> {
  const { rpID, origin } = refuseWithoutName(deps.baseUrl)
  const { verifyAuthenticationResponse } = await passkeyLibrary()
  // The library throws a plain error for any invalid response.
  const { authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedRPID: rpID,
    expectedOrigin: origin,
    expectedChallenge: async (token) =>
      (await consumeToken(deps, { purpose: 'passkey-sign-in', token })) !== undefined,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: transportsOf(passkey.transports),
    },
    requireUserVerification: true,
  }).catch(() => ({ authenticationInfo: undefined }))
  if (authenticationInfo === undefined) return false
  await deps.db
    .updateTable('passkeys')
    .set({ counter: authenticationInfo.newCounter, last_used_at: deps.clock.nowUs() })
    .where('id', '=', passkey.id)
    .execute()
  return true
}
