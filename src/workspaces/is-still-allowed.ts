import type { Caller } from '../access/caller.ts'
import { actionsOf, isGranted, type Scope } from '../access/roles-and-scopes.ts'
import type { AnyDb } from '../store/handles.ts'
import { toMemberRole } from './members.ts'

/**
 * Whether the user or the key could do it now. For what goes on after the request that has begun it: a member may have been removed
 * since, a key revoked, or the workspace suspended.
 */
export async function isStillAllowed(
  db: AnyDb,
  { workspaceId, userId, keyId }: Pick<Caller, 'workspaceId' | 'userId' | 'keyId'>,
  scope: Scope,
): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .leftJoin('api_keys', (join) =>
      join
        .onRef('api_keys.workspace_id', '=', 'workspaces.id')
        .on('api_keys.id', '=', keyId ?? null)
        .on('api_keys.revoked_at', 'is', null),
    )
    .leftJoin('members', (join) =>
      join.onRef('members.workspace_id', '=', 'workspaces.id').on('members.user_id', '=', userId),
    )
    .leftJoin('users', 'users.id', 'members.user_id')
    .select(['api_keys.scopes', 'api_keys.is_kept', 'members.role', 'users.suspended_at'])
    .select(['workspaces.requires_second_factor', 'users.totp_enabled_at'])
    .where('workspaces.id', '=', workspaceId)
    .where('workspaces.closed_at', 'is', null)
    .where('workspaces.suspended_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return false
  if (keyId !== undefined) {
    if (row.scopes === null || !isGranted(JSON.parse(row.scopes), scope)) return false
    // Nothing about the user who made it matters any more.
    if (row.is_kept !== 0) return true
  }
  const { role, requires_second_factor: needsSecondFactor } = row
  if (role === null || row.suspended_at !== null) return false
  return (
    actionsOf(toMemberRole(role)).includes(scope) && (needsSecondFactor === 0 || row.totp_enabled_at !== null)
  )
}
