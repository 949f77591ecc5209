import { type Clock, DAY_US, HOUR_US, MINUTE_US } from '../../runtime/clock.ts'
import { invalid, type Refusal } from '../../errors/refusal.ts'
import { freeToRemove } from '../../store/engine-sql.ts'
import type { DurableDb, RelaxedDb, Tx } from '../../store/handles.ts'
import { lockUser } from '../find-user.ts'
import { hashSecret, newSecret } from './secret-text.ts'

/** For signing in at a provider of single sign-on. */
export const FLOW_US = 10 * MINUTE_US
export const FLOW_SECONDS = FLOW_US / 1_000_000

/** The purposes of tokens, and how long each is valid. */
const LIFETIMES_US = {
  'verify-email': DAY_US,
  'change-email': DAY_US,
  'reset-password': HOUR_US / 2,
  'add-passkey': 5 * MINUTE_US,
  'passkey-sign-in': 5 * MINUTE_US,
  'single-sign-on': FLOW_US,
  'single-sign-on-confirm': FLOW_US,
  'single-sign-on-code': 5 * MINUTE_US,
  'exclude-browser': 5 * MINUTE_US,
} as const

const USED_SECRET_KEPT_US = 30 * DAY_US
/** Members may send them again. */
const OLD_INVITATIONS_KEPT_US = 30 * DAY_US

export type TokenPurpose = keyof typeof LIFETIMES_US

export type TokenSubject = {
  purpose: TokenPurpose
  /** Null: a token for nobody, stored all the same, so that both cases take equally long. */
  userId: number | null
  /** The email that it is sent to and valid for. */
  email?: string
  /** Default: that of the purpose. */
  lifetimeUs?: number
  /** Where alone it is valid. */
  place?: string
}

type TokenDeps = { db: DurableDb | Tx; clock: Clock }

/** Returns a new token. Earlier ones stay valid, because emails can overtake each other. */
export async function issueToken(
  { db, clock }: TokenDeps,
  { purpose, userId, email = '', lifetimeUs = LIFETIMES_US[purpose], place }: TokenSubject,
): Promise<string> {
  const token = newSecret()
  const expiresAtUs = clock.nowUs() + lifetimeUs
  await db
    .insertInto('single_use_tokens')
    .values({ token_hash: hashOf(token, place), purpose, user_id: userId, email, expires_at: expiresAtUs })
    .execute()
  return token
}

const hashOf = (token: string, place: string | undefined): string =>
  hashSecret(place === undefined ? token : `${token} ${place}`)

export type UsedToken = { userId: number | null; email: string; expiresAtUs: number }

/** Undefined if the token is not valid. One statement decides, so a token is used once. */
export async function consumeToken(
  { db, clock }: TokenDeps,
  { purpose, token, place }: { purpose: TokenPurpose; token: string; place?: string },
): Promise<UsedToken | undefined> {
  const row = await db
    .deleteFrom('single_use_tokens')
    .where('token_hash', '=', hashOf(token, place))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', clock.nowUs())
    .returning(['user_id as userId', 'email', 'expires_at as expiresAtUs'])
    .executeTakeFirst()
  return row
}

/** The same in a transaction that changes more of the user: locks the user first, so that two such changes take turns. */
export async function consumeTokenLocked(
  { db: tx, clock }: { db: Tx; clock: Clock },
  presented: { purpose: TokenPurpose; token: string },
): Promise<UsedToken | undefined> {
  const userId = await ownerOfToken({ db: tx, clock }, presented)
  if (userId !== undefined) await lockUser(tx, userId)
  return consumeToken({ db: tx, clock }, presented)
}

/** The user of a valid token, which stays valid. */
export async function ownerOfToken(
  { db, clock }: TokenDeps,
  { purpose, token }: { purpose: TokenPurpose; token: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('single_use_tokens')
    .select('user_id')
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', clock.nowUs())
    .executeTakeFirst()
  return row?.user_id ?? undefined
}

/** Invalidates all emailed links of a user. */
export async function dropTokens(db: DurableDb | Tx, userId: number): Promise<void> {
  await db.deleteFrom('single_use_tokens').where('user_id', '=', userId).execute()
}

/** Marks a secret as used; false if it was used before. Kept for thirty days, in case the clock runs ahead. */
export async function useSecretOnce({ db, clock }: TokenDeps, secret: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('single_use_tokens')
    .values({
      token_hash: hashSecret(secret),
      purpose: 'used-code',
      // Of no user: otherwise dropTokens would make used codes valid again.
      user_id: null,
      email: '',
      expires_at: clock.nowUs() + USED_SECRET_KEPT_US,
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const spentToken = (): Refusal =>
  invalid({ token: ['This link was already used or has expired. Request a new one.'] })

/** Removes expired tokens and invitations. */
export async function forgetTokens(db: RelaxedDb, nowUs: number): Promise<void> {
  const old = db.selectFrom('single_use_tokens').select('token_hash').where('expires_at', '<=', nowUs)
  await db.deleteFrom('single_use_tokens').where('token_hash', 'in', freeToRemove(db, old)).execute()
  await db.deleteFrom('invitations').where('expires_at', '<=', nowUs).execute()
  const invited = db.deleteFrom('workspace_invitations')
  await invited.where('expires_at', '<=', nowUs - OLD_INVITATIONS_KEPT_US).execute()
}
