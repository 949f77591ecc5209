import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
  verifyRegistrationResponse as VerifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isIP } from 'node:net'
import type { Clock } from '../clock.ts'
import { invalid, Refusal } from '../refusal.ts'
import { lock } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { nameFaults } from './create-account.ts'
import { accountById } from './find-account.ts'
import { passkeyLibrary } from './passkey-library.ts'
import type { MailingDeps } from './mailed-link.ts'
import type { PasswordQueue } from './password-queue.ts'
import { reauthenticate } from './reauthenticate.ts'
import { type NoticeCount, tellOfPasskey } from './security-notices.ts'
import { issueToken, takeToken } from './single-use-token.ts'

const PASSKEYS_MAX = 20
/** Whatever else a browser calls a way to its authenticator is left out. */
const TRANSPORTS: readonly unknown[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
/** The longest keys there are, of ML-DSA-87, have 2,592. */
const PUBLIC_KEY_BYTES_MAX = 4_096

export type Passkey = { id: number; name: string; createdAtUs: number; lastUsedAtUs: number | null }

type PasskeyDeps = { db: Db; clock: Clock; baseUrl: string }

/** Whose passkeys these are, as browsers know it; undefined where they allow none: at an address without a name. */
export function relyingParty(baseUrl: string): { rpID: string; origin: string } | undefined {
  const { hostname, origin } = new URL(baseUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { rpID: hostname, origin } : undefined
}

export function refuseWithoutName(baseUrl: string): { rpID: string; origin: string } {
  const party = relyingParty(baseUrl)
  if (party === undefined) {
    throw new Refusal('conflict', 'Passkeys need a host name, but BASE_URL is an IP address.')
  }
  return party
}

/** What a browser has to know to make a passkey. */
export async function passkeyOptions(
  deps: PasskeyDeps & { passwords: PasswordQueue },
  accountId: number,
  password: unknown,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { rpID } = refuseWithoutName(deps.baseUrl)
  await reauthenticate(deps, accountId, password)
  const { name, email } = await accountById(deps.db, accountId)
  const known = await deps.db
    .selectFrom('passkeys')
    .select('credential_id')
    .where('account_id', '=', accountId)
    .execute()
  refuseTooMany(known.length)
  const challenge = await issueToken(deps, { purpose: 'add-passkey', accountId })
  const { generateRegistrationOptions } = await passkeyLibrary()
  return generateRegistrationOptions({
    rpName: rpID,
    rpID,
    userName: email,
    userDisplayName: name,
    // Says nothing about the person, and is the same for all of their passkeys.
    userID: new TextEncoder().encode(`account ${accountId}`),
    challenge: Uint8Array.fromBase64(challenge, { alphabet: 'base64url' }),
    excludeCredentials: known.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

function refuseTooMany(passkeys: number): void {
  if (passkeys < PASSKEYS_MAX) return
  throw new Refusal('conflict', `An account may have at most ${PASSKEYS_MAX} passkeys. Remove one first.`)
}

/** Keeps the passkey that the browser has made. Its owner is mailed. */
export async function addPasskey(
  deps: PasskeyDeps & MailingDeps & NoticeCount,
  accountId: number,
  { name, response, device }: { name: unknown; response: unknown; device: string },
): Promise<Passkey> {
  const { rpID, origin } = refuseWithoutName(deps.baseUrl)
  const faults = nameFaults(name)
  if (faults.length > 0) throw invalid({ name: faults })
  const credential = await verified(response as RegistrationResponseJSON, {
    expectedRPID: rpID,
    expectedOrigin: origin,
    expectedChallenge: async (token) =>
      (await takeToken(deps, { purpose: 'add-passkey', token }))?.accountId === accountId,
  })
  deps.countNotice(accountId)
  const values = {
    account_id: accountId,
    credential_id: credential.id,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: JSON.stringify(knownTransports(credential.transports)),
    name: (name as string).trim(),
    created_at: deps.clock.nowUs(),
    last_used_at: null,
  }
  const added = await transact(deps.db, async (tx) => {
    await lock(tx, `passkeys of account ${accountId}`)
    // Once more: many may have been begun before the first of them was added.
    refuseTooMany((await listPasskeys(tx, accountId)).length)
    const row = await tx
      .insertInto('passkeys')
      .values(values)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(['id', 'name', 'created_at as createdAtUs', 'last_used_at as lastUsedAtUs'])
      .executeTakeFirst()
    if (row === undefined) throw badPasskey()
    return row
  })
  tellOfPasskey(deps, await accountById(deps.db, accountId), device)
  return added
}

/** The library hands on what the browser sent, which is not signed. */
const knownTransports = (sent: unknown) =>
  TRANSPORTS.filter((each) => Array.isArray(sent) && sent.includes(each))

type Expected = Pick<
  Parameters<typeof VerifyRegistrationResponse>[0],
  'expectedRPID' | 'expectedOrigin' | 'expectedChallenge'
>

async function verified(response: RegistrationResponseJSON, expected: Expected) {
  const { verifyRegistrationResponse } = await passkeyLibrary()
  // Whatever is wrong with what the browser sent is thrown as a plain error.
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    ...expected,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  const credential = registrationInfo?.credential
  if (credential === undefined || credential.publicKey.byteLength > PUBLIC_KEY_BYTES_MAX) throw badPasskey()
  return credential
}

export const badPasskey = () => invalid({ response: ['The passkey could not be verified. Try again.'] })

export async function listPasskeys(db: Db, accountId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAtUs', 'last_used_at as lastUsedAtUs'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
}

export async function removePasskey(
  deps: { db: Db; passwords: PasswordQueue },
  accountId: number,
  { passkeyId, password }: { passkeyId: number; password: unknown },
): Promise<void> {
  await reauthenticate(deps, accountId, password)
  const { numDeletedRows } = await deps.db
    .deleteFrom('passkeys')
    .where('id', '=', passkeyId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Refusal('not-found', 'Passkey not found.')
}

/** As simplewebauthn wants the stored one. */
export const transportsOf = (text: string) => JSON.parse(text) as AuthenticatorTransport[]
