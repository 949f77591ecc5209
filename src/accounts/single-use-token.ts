import { type Clock, DAY_US, HOUR_US, MINUTE_US } from '../clock.ts'
import { invalid, type Refusal } from '../refusal.ts'
import { freeToRemove } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { lockAccount } from './find-account.ts'
import { hashSecret, newSecret } from './secret-text.ts'

/** What a token is for, and how long it can be used. */
const LIFETIMES_US = {
  'verify-email': DAY_US,
  'change-email': DAY_US,
  'reset-password': HOUR_US / 2,
  'add-passkey': 5 * MINUTE_US,
  'passkey-sign-in': 5 * MINUTE_US,
} as const

const USED_SECRET_KEPT_US = 30 * DAY_US

export type TokenPurpose = keyof typeof LIFETIMES_US

export type TokenSubject = {
  purpose: TokenPurpose
  /** Null: a token for nobody, which is written all the same, so that both take as long. */
  accountId: number | null
  /** The address that it is mailed to, and is good for. */
  email?: string
  /** Where it is not that of the purpose. */
  lifetimeUs?: number
}

type TokenDeps = { db: Db; clock: Clock }

/** A new token, whose text is nowhere but in the return value. Those before it stay good: mails overtake each other. */
export async function issueToken(
  { db, clock }: TokenDeps,
  { purpose, accountId, email = '', lifetimeUs = LIFETIMES_US[purpose] }: TokenSubject,
): Promise<string> {
  const token = newSecret()
  const expiresAtUs = clock.nowUs() + lifetimeUs
  await db
    .insertInto('single_use_tokens')
    .values({ token_hash: hashSecret(token), purpose, account_id: accountId, email, expires_at: expiresAtUs })
    .execute()
  return token
}

export type UsedToken = { accountId: number | null; email: string }

/** Uses a token up; undefined when there is none that is still good. One statement decides, so it is used once. */
export async function takeToken(
  { db, clock }: TokenDeps,
  { purpose, token }: { purpose: TokenPurpose; token: string },
): Promise<UsedToken | undefined> {
  const row = await db
    .deleteFrom('single_use_tokens')
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', clock.nowUs())
    .returning(['account_id as accountId', 'email'])
    .executeTakeFirst()
  return row
}

/** The same, behind everybody else who uses a token of the account; in a transaction that changes more of it. */
export async function takeTokenInTurn(
  { db: tx, clock }: TokenDeps,
  presented: { purpose: TokenPurpose; token: string },
): Promise<UsedToken | undefined> {
  const accountId = await ownerOfToken({ db: tx, clock }, presented)
  if (accountId !== undefined) await lockAccount(tx, accountId)
  return takeToken({ db: tx, clock }, presented)
}

/** Whose token it is, which leaves it good; undefined when it is nobody's, or good no more. */
export async function ownerOfToken(
  { db, clock }: TokenDeps,
  { purpose, token }: { purpose: TokenPurpose; token: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('single_use_tokens')
    .select('account_id')
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', clock.nowUs())
    .executeTakeFirst()
  return row?.account_id ?? undefined
}

/** None of the account's mails is good for anything any more. */
export async function dropTokens(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('single_use_tokens').where('account_id', '=', accountId).execute()
}

/**
 * Marks a secret as used; false when it was used before. Remembered for thirty days, so that a clock that runs ahead has
 * to be off by more to make us forget it.
 */
export async function useSecretOnce({ db, clock }: TokenDeps, secret: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('single_use_tokens')
    .values({
      token_hash: hashSecret(secret),
      purpose: 'used-code',
      // Nobody's: who ends all mailed links of an account must not make its codes good again.
      account_id: null,
      email: '',
      expires_at: clock.nowUs() + USED_SECRET_KEPT_US,
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const spentToken = (): Refusal =>
  invalid({ token: ['This link was already used or has expired. Request a new one.'] })

/** Removes what can no longer be used. */
export async function forgetTokens(db: Db, nowUs: number): Promise<void> {
  const old = db.selectFrom('single_use_tokens').select('token_hash').where('expires_at', '<=', nowUs)
  await db.deleteFrom('single_use_tokens').where('token_hash', 'in', freeToRemove(db, old)).execute()
  await db.deleteFrom('invitations').where('expires_at', '<=', nowUs).execute()
}
