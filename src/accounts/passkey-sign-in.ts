import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import type { Clock } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import { suspendedAccount } from './account.ts'
import { passkeyLibrary } from './passkey-library.ts'
import { badPasskey, refuseWithoutName, transportsOf } from './passkeys.ts'
import { readSecret } from './secret-text.ts'
import { enter } from './sign-in.ts'
import { issueToken, takeToken } from './single-use-token.ts'

type PasskeySignInDeps = { db: Db; clock: Clock; baseUrl: string }

/** What a browser has to know to use a passkey. It names no account: which one it is, the passkey says. */
export async function passkeySignInOptions(
  deps: PasskeySignInDeps,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { rpID } = refuseWithoutName(deps.baseUrl)
  const challenge = await issueToken(deps, { purpose: 'passkey-sign-in', accountId: null })
  const { generateAuthenticationOptions } = await passkeyLibrary()
  return generateAuthenticationOptions({
    rpID,
    challenge: Uint8Array.fromBase64(challenge, { alphabet: 'base64url' }),
    userVerification: 'required',
  })
}

/** A passkey is both factors at once: something one has, unlocked by something one knows or is. */
export async function signInByPasskey(
  deps: PasskeySignInDeps,
  { response, device }: { response: unknown; device: string },
): Promise<string> {
  const presented = response as AuthenticationResponseJSON
  const passkey = await passkeyOf(deps.db, presented?.id)
  const isRight = passkey !== undefined && (await isVerified(deps, passkey, presented))
  if (!isRight) throw badPasskey()
  if (passkey.suspended_at !== null) throw suspendedAccount()
  const token = await enter(deps, { accountId: passkey.account_id, device })
  if (token === undefined) throw badPasskey()
  return token
}

type StoredPasskey = NonNullable<Awaited<ReturnType<typeof passkeyOf>>>

function passkeyOf(db: Db, credentialId: unknown) {
  return db
    .selectFrom('passkeys')
    .innerJoin('accounts', 'accounts.id', 'passkeys.account_id')
    .selectAll('passkeys')
    .select('accounts.suspended_at')
    .where('passkeys.credential_id', '=', readSecret(credentialId))
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst()
}

async function isVerified(
  deps: PasskeySignInDeps,
  passkey: StoredPasskey,
  response: AuthenticationResponseJSON,
): Promise<boolean> {
  const { rpID, origin } = refuseWithoutName(deps.baseUrl)
  const { verifyAuthenticationResponse } = await passkeyLibrary()
  // Whatever is wrong with what the browser sent is thrown as a plain error.
  const { authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedRPID: rpID,
    expectedOrigin: origin,
    expectedChallenge: async (token) =>
      (await takeToken(deps, { purpose: 'passkey-sign-in', token })) !== undefined,
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
