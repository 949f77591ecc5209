import { sql } from 'kysely'
import { type Actor, type Caller, COMMAND_LINE, operatorIn } from '../access/caller.ts'
import { recordChange } from '../audit/record-change.ts'
import { contains } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'
import type { Clock } from '../runtime/clock.ts'
import { Refusal } from '../errors/refusal.ts'
import type { AnyDb, CurrentDb, DurableDb, Tx } from '../store/handles.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import { toMemberRole } from '../workspaces/members.ts'
import type { MemberRole } from '../access/roles-and-scopes.ts'
import { prepare } from '../store/sqlite/prepare.ts'
import { type ApiKey, type KeyGrants, toApiKey, toKeyGrants } from './api-key.ts'
import { hashKey, isWellFormedKey } from './key-format.ts'

/** The key of a request. */
export type PresentedKey = KeyGrants & {
  userId: number | null
  isEmailVerified: boolean
  isSuspended: boolean
  /** Of the user who made it; null if it was kept, so that nothing about them matters any more. */
  memberRole: MemberRole | null
  /** The workspace requires a second factor, and the user has none. */
  lacksSecondFactor: boolean
}

type ListKeysDeps = { db: AnyDb; clock: Clock }

export type FindKeyDeps = { db: CurrentDb }

/**
 * Undefined if the key is unknown, revoked or malformed, or its user is no member and it was not kept. It is looked up by its hash, which callers cannot choose, so timing reveals
 * nothing about other keys.
 */
export async function findKey(deps: FindKeyDeps, text: string): Promise<PresentedKey | undefined> {
  if (!isWellFormedKey(text)) return undefined
  const [row] = await keyByHash(deps.db, { hash: hashKey(text) })
  if (row === undefined) return undefined
  const isKept = row.is_kept !== 0
  if (!isKept && row.member_role === null) return undefined
  return {
    ...toKeyGrants(row),
    userId: row.user_id,
    isEmailVerified: isKept || row.email_verified_at !== null,
    isSuspended: row.suspended_at !== null || (!isKept && row.user_suspended_at !== null),
    memberRole: isKept || row.member_role === null ? null : toMemberRole(row.member_role),
    lacksSecondFactor: !isKept && row.requires_second_factor !== 0 && row.totp_enabled_at === null,
  }
}

const keyByHash = prepare((db: CurrentDb, { hash }: { hash: string }) =>
  selectKeys(db)
    .leftJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'api_keys.workspace_id')
        .onRef('members.user_id', '=', 'api_keys.user_id'),
    )
    .select(['users.email_verified_at', 'users.suspended_at as user_suspended_at', 'users.totp_enabled_at'])
    .select(['workspaces.suspended_at', 'workspaces.requires_second_factor', 'members.role as member_role'])
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
    .select(['workspaces.plan', 'workspaces.rate_limit as workspace_rate_limit'])
    .select('users.name as user_name')

/** All keys of a workspace, including revoked ones, oldest first. */
export async function listKeys(deps: ListKeysDeps, workspaceId: number): Promise<ApiKey[]> {
  const rows = await selectKeys(deps.db)
    .where('api_keys.workspace_id', '=', workspaceId)
    .orderBy('api_keys.id')
    .execute()
  return rows.map((row) => toApiKey(row, deps.clock.nowUs()))
}

/** The caller's own keys, or all if the caller manages keys. Those that were kept are nobody's own; such a key sees them. */
export async function listVisibleKeys(deps: ListKeysDeps, caller: Caller): Promise<ApiKey[]> {
  const keys = await listKeys(deps, caller.workspaceId)
  if (caller.can('keys:manage')) return keys
  const isKept = caller.memberRole === undefined
  return keys.filter((key) => key.isKept === isKept && (key.createdBy?.id ?? null) === caller.userId)
}

type RevokeDeps = { db: DurableDb; clock: Clock }

/** For operators. Takes effect with the next request. Refused if there is no such active key. */
export const revokeKey = ({ db, clock }: RevokeDeps, keyId: number): Promise<void> =>
  transact(db, (tx) => revoke({ tx, nowUs: clock.nowUs() }, COMMAND_LINE, { keyId }))

/** The same for a key that the caller can see. Any other is refused like one that does not exist. */
export const revokeVisibleKey = ({ db, clock }: RevokeDeps, caller: Caller, keyId: number): Promise<void> =>
  transact(db, async (tx) => {
    const seenBy = await lockForCaller(tx, caller, 'member')
    await revoke({ tx, nowUs: clock.nowUs() }, caller, { keyId, seenBy })
  })

async function revoke(
  { tx, nowUs }: { tx: Tx; nowUs: number },
  by: Actor,
  { keyId, seenBy }: { keyId: number; seenBy?: Caller },
): Promise<void> {
  const revoked = await tx
    .updateTable('api_keys')
    .set({ revoked_at: nowUs })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .$if(seenBy !== undefined, (query) => query.where('workspace_id', '=', seenBy!.workspaceId))
    .$if(seenBy?.can('keys:manage') === false, (query) =>
      query.where('user_id', '=', seenBy!.userId).where('is_kept', '=', 0),
    )
    .returning(['workspace_id as workspaceId', 'name', 'key_hint as hint'])
    .executeTakeFirst()
  if (revoked === undefined)
    throw new Refusal('api_key_not_found', `There is no active key with the id ${keyId}.`)
  const { workspaceId, name: target, hint } = revoked
  const changes = { key: { from: hint, to: null } }
  const change = { nowUs, action: 'key.revoked', target, targetId: keyId, changes } as const
  await recordChange(tx, operatorIn(workspaceId, by), change)
}

const ORIGIN_LENGTH_MAX = 300

/** Whether any active key may be used from pages of this origin. What a browser asks first comes without the key. */
export async function isOriginOfAnyKey(db: CurrentDb, origin: string): Promise<boolean> {
  // Nothing else in the restrictions has the form of an origin, so that no other text of theirs passes for one.
  if (origin.length > ORIGIN_LENGTH_MAX || URL.parse(origin)?.origin !== origin) return false
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('restrictions', 'is not', null)
    .where('revoked_at', 'is', null)
    .where(contains(db, sql.ref('restrictions'), JSON.stringify(origin)))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
