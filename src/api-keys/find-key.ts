import type { Caller } from '../access/caller.ts'
import type { Clock } from '../runtime/clock.ts'
import { Refusal } from '../errors/refusal.ts'
import type { AnyDb, CurrentDb, DurableDb } from '../store/handles.ts'
import { prepare } from '../store/sqlite/prepare.ts'
import { type ApiKey, toApiKey } from './api-key.ts'
import { hashKey, isWellFormedKey } from './key-format.ts'

/** The key of a request. */
export type PresentedKey = ApiKey & { isEmailVerified: boolean; isSuspended: boolean }

type ListKeysDeps = { db: AnyDb; clock: Clock }

export type FindKeyDeps = { db: CurrentDb; clock: Clock }

/**
 * Undefined if the key is unknown, revoked or malformed. It is looked up by its hash, which callers cannot choose, so timing reveals
 * nothing about other keys.
 */
export async function findKey(deps: FindKeyDeps, text: string): Promise<PresentedKey | undefined> {
  if (!isWellFormedKey(text)) return undefined
  const [row] = await keyByHash(deps.db, { hash: hashKey(text) })
  if (row === undefined) return undefined
  return {
    ...toApiKey(row, deps.clock.nowUs()),
    isEmailVerified: row.user_id === null || row.email_verified_at !== null,
    isSuspended: row.suspended_at !== null,
  }
}

const keyByHash = prepare((db: CurrentDb, { hash }: { hash: string }) =>
  selectKeys(db)
    .select(['users.email_verified_at', 'workspaces.suspended_at'])
    .where('api_keys.key_hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .where('workspaces.closed_at', 'is', null),
)

const selectKeys = (db: AnyDb) =>
  db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .leftJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['workspaces.plan', 'workspaces.rate_limit as workspace_rate_limit', 'users.role as user_role'])

/** All keys of a workspace, including revoked ones, oldest first. */
export async function listKeys(deps: ListKeysDeps, workspaceId: number): Promise<ApiKey[]> {
  const rows = await selectKeys(deps.db)
    .where('api_keys.workspace_id', '=', workspaceId)
    .orderBy('api_keys.id')
    .execute()
  return rows.map((row) => toApiKey(row, deps.clock.nowUs()))
}

/** The caller's own keys, or all if the caller manages keys. */
export async function listVisibleKeys(deps: ListKeysDeps, caller: Caller): Promise<ApiKey[]> {
  const keys = await listKeys(deps, caller.workspaceId)
  return caller.can('keys:manage') ? keys : keys.filter(({ userId }) => userId === caller.userId)
}

/** For operators. Takes effect with the next request. Refused if there is no such active key. */
export async function revokeKey(
  { db, clock }: { db: DurableDb; clock: Clock },
  keyId: number,
): Promise<void> {
  await revoke(activeKey(db, keyId), { nowUs: clock.nowUs(), keyId })
}

/** The same for a key that the caller can see. Any other is refused like one that does not exist. */
export async function revokeVisibleKey(
  { db, clock }: { db: DurableDb; clock: Clock },
  caller: Caller,
  keyId: number,
): Promise<void> {
  const visible = activeKey(db, keyId)
    .where('workspace_id', '=', caller.workspaceId)
    .$if(!caller.can('keys:manage'), (query) => query.where('user_id', '=', caller.userId))
  await revoke(visible, { nowUs: clock.nowUs(), keyId })
}

const activeKey = (db: DurableDb, keyId: number) =>
  db.updateTable('api_keys').where('id', '=', keyId).where('revoked_at', 'is', null)

async function revoke(
  key: ReturnType<typeof activeKey>,
  { nowUs, keyId }: { nowUs: number; keyId: number },
): Promise<void> {
  const { numUpdatedRows } = await key.set({ revoked_at: nowUs }).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Refusal('not-found', `There is no active key with the id ${keyId}.`)
}
