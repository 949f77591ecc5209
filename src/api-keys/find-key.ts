import type { Caller } from '../caller.ts'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { prepare } from '../store/prepare.ts'
import { type ApiKey, toApiKey } from './api-key.ts'
import { hashKey, isWellFormedKey } from './key-format.ts'

/** A key that a request came with, and what its account is allowed. */
export type PresentedKey = ApiKey & { isEmailVerified: boolean; isSuspended: boolean }

export type FindKeyDeps = { db: Db; clock: Clock }

/**
 * The key with this text; undefined when there is none, it is revoked, or it cannot be one of ours. It is looked up by
 * its hash, which a caller cannot steer, so the time it takes tells nothing about other keys.
 */
export async function findKey(deps: FindKeyDeps, text: string): Promise<PresentedKey | undefined> {
  if (!isWellFormedKey(text)) return undefined
  const [row] = await keyByHash(deps.db, { hash: hashKey(text) })
  if (row === undefined) return undefined
  return {
    ...toApiKey(row, deps.clock.nowUs()),
    isEmailVerified: row.email_verified_at !== null,
    isSuspended: row.suspended_at !== null,
  }
}

const keyByHash = prepare((db, { hash }: { hash: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(['accounts.plan', 'accounts.role', 'accounts.rate_limit as account_rate_limit'])
    .select(['accounts.email_verified_at', 'accounts.suspended_at'])
    .where('api_keys.key_hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null),
)

/** All keys of an account, revoked ones too, oldest first. */
export async function listKeys(deps: FindKeyDeps, accountId: number): Promise<ApiKey[]> {
  const rows = await deps.db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(['accounts.plan', 'accounts.role', 'accounts.rate_limit as account_rate_limit'])
    .where('api_keys.account_id', '=', accountId)
    .orderBy('api_keys.id')
    .execute()
  return rows.map((row) => toApiKey(row, deps.clock.nowUs()))
}

/** From the next request on the key is unknown. For the operator. Refused when there is no such active key. */
export async function revokeKey({ db, clock }: FindKeyDeps, keyId: number): Promise<void> {
  await revoke(activeKey(db, keyId), { nowUs: clock.nowUs(), keyId })
}

/** The same for a key of the caller's. Somebody else's is refused in the very words of one that does not exist. */
export async function revokeOwnKey({ db, clock }: FindKeyDeps, caller: Caller, keyId: number): Promise<void> {
  const own = activeKey(db, keyId).where('account_id', '=', caller.accountId)
  await revoke(own, { nowUs: clock.nowUs(), keyId })
}

const activeKey = (db: Db, keyId: number) =>
  db.updateTable('api_keys').where('id', '=', keyId).where('revoked_at', 'is', null)

async function revoke(
  key: ReturnType<typeof activeKey>,
  { nowUs, keyId }: { nowUs: number; keyId: number },
): Promise<void> {
  const { numUpdatedRows } = await key.set({ revoked_at: nowUs }).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Refusal('not-found', `There is no active key with the id ${keyId}.`)
}
