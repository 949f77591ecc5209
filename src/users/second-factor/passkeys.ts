import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
  verifyRegistrationResponse as VerifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isIP } from 'node:net'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import { lock } from '../../store/engine-sql.ts'
import type { AnyDb, DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { lockUser, userById } from '../find-user.ts'
import { refuseWithoutWayIn, type WaysInSettings } from '../single-sign-on/ways-in.ts'
import { passkeyLibrary } from './passkey-library.ts'
import type { MailingDeps } from '../tokens/mailed-link.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { nameBody } from '../sign-up/create-account.ts'
import { type Proof, reauthenticate } from '../sign-in/reauthenticate.ts'
import { type NoticeCount, notifyPasskeyAdded } from '../security-notices.ts'
import { issueToken, consumeToken } from '../tokens/single-use-token.ts'

const PASSKEYS_MAX = 20
/** Any other transport that a browser reports is ignored. */
const TRANSPORTS: readonly unknown[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
/** The longest keys in use, ML-DSA-87, have 2,592. */
const PUBLIC_KEY_BYTES_MAX = 4_096

export type Passkey = { id: number; name: string; createdAtUs: number; lastUsedAtUs: number | null }

const NOT_VERIFIED = 'The passkey could not be verified. Try again.'
export const badPasskey = () => invalid({ response: [NOT_VERIFIED] })

/** What a browser has made with a passkey. The library checks the rest. */
export const passkeyResponse = <Response extends { id: string }>() =>
  z.custom<Response>((sent) => typeof (sent as Partial<Response> | null)?.id === 'string', NOT_VERIFIED)

export const newPasskey = nameBody.extend({ response: passkeyResponse<RegistrationResponseJSON>() })

type PasskeyDeps = { db: DurableDb; clock: Clock; baseUrl: string }

/** The relying party, as browsers know it. Undefined if BASE_URL is an IP address, for which they allow no passkeys. */
export function relyingParty(baseUrl: string): { rpID: string; origin: string } | undefined {
  const { hostname, origin } = new URL(baseUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { rpID: hostname, origin } : undefined
}

export function refuseWithoutName(baseUrl: string): { rpID: string; origin: string } {
  const party = relyingParty(baseUrl)
  if (party === undefined) {
    throw new Refusal('passkeys_unavailable', 'Passkeys need a host name, but BASE_URL is an IP address.')
  }
  return party
}

/** What a browser needs to create a passkey. */
export async function passkeyOptions(
  deps: PasskeyDeps & { passwords: PasswordQueue },
  userId: number,
  proof: Proof,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { rpID } = refuseWithoutName(deps.baseUrl)
  await reauthenticate(deps, userId, proof)
  const { name, email } = await userById(deps.db, userId)
  const passkey = await deps.db
    .selectFrom('passkeys')
    .select('credential_id')
    .where('user_id', '=', userId)
    .execute()
  refuseTooMany(passkey.length)
  const challenge = await issueToken(deps, { purpose: 'add-passkey', userId })
  const { generateRegistrationOptions } = await passkeyLibrary()
  return generateRegistrationOptions({
    rpName: rpID,
    rpID,
    userName: email,
    userDisplayName: name,
    // Identifies no person, and is the same for all passkeys of the user.
    userID: new TextEncoder().encode(`account ${userId}`),
    challenge: Uint8Array.fromBase64(challenge, { alphabet: 'base64url' }),
    excludeCredentials: passkey.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

function refuseTooMany(passkeys: number): void {
  if (passkeys < PASSKEYS_MAX) return
  throw new Refusal(
    'limit_reached',
    `An account may have at most ${PASSKEYS_MAX} passkeys. Remove one first.`,
  )
}

/** Stores the passkey that the browser has created, and notifies the user. */
export async function addPasskey(
  deps: PasskeyDeps & MailingDeps & NoticeCount,
  userId: number,
  { name, response, device }: z.output<typeof newPasskey> & { device: string },
): Promise<Passkey> {
  const { rpID, origin } = refuseWithoutName(deps.baseUrl)
  const credential = await verified(response, {
    expectedRPID: rpID,
    expectedOrigin: origin,
    expectedChallenge: async (token) =>
      (await consumeToken(deps, { purpose: 'add-passkey', token }))?.userId === userId,
  })
  deps.countNotice(userId)
  const values = {
    user_id: userId,
    credential_id: credential.id,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: JSON.stringify(knownTransports(credential.transports)),
    name,
    created_at: deps.clock.nowUs(),
    last_used_at: null,
  }
  const outcome = await transact(deps.db, async (tx) => {
    await lock(tx, `passkeys of account ${userId}`)
    // Checked again: several may have been started before the first was added.
    refuseTooMany((await listPasskeys(tx, userId)).length)
    const row = await tx
      .insertInto('passkeys')
      .values(values)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(['id', 'name', 'created_at as createdAtUs', 'last_used_at as lastUsedAtUs'])
      .executeTakeFirst()
    if (row === undefined) throw badPasskey()
    return row
  })
  notifyPasskeyAdded(deps, await userById(deps.db, userId), device)
  return outcome
}

/** The browser's list of transports is not signed. */
const knownTransports = (sent: unknown) =>
  TRANSPORTS.filter((each) => Array.isArray(sent) && sent.includes(each))

type Expected = Pick<
  Parameters<typeof VerifyRegistrationResponse>[0],
  'expectedRPID' | 'expectedOrigin' | 'expectedChallenge'
>

async function verified(response: RegistrationResponseJSON, expected: Expected) {
  const { verifyRegistrationResponse } = await passkeyLibrary()
  // The library throws a plain error for any invalid response.
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    ...expected,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  const credential = registrationInfo?.credential
  if (credential === undefined || credential.publicKey.byteLength > PUBLIC_KEY_BYTES_MAX) throw badPasskey()
  return credential
}

export async function listPasskeys(db: AnyDb, userId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAtUs', 'last_used_at as lastUsedAtUs'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

export async function removePasskey(
  deps: { db: DurableDb; passwords: PasswordQueue; config: WaysInSettings },
  userId: number,
  { passkeyId, proof }: { passkeyId: number; proof: Proof },
): Promise<void> {
  await reauthenticate(deps, userId, proof)
  await transact(deps.db, async (tx) => {
    await lockUser(tx, userId)
    const { numDeletedRows } = await tx
      .deleteFrom('passkeys')
      .where('id', '=', passkeyId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new Refusal('passkey_not_found', 'Passkey not found.')
    // With a password it was not needed, and where providers are the only way it never was a way in.
    if (!(await userById(tx, userId)).hasPassword) await refuseWithoutWayIn(tx, deps.config, userId)
  })
}

export const transportsOf = (text: string) => JSON.parse(text) as AuthenticatorTransport[]
