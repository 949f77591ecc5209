import { type Actor, type Caller, operatorIn } from '../access/caller.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { endKeysOf, type Leaving } from './keys-of-member.ts'
import { toMemberRole } from './members.ts'

/** Changes of members take turns: so one owner always stays, and the number of members is exact. */
export async function lockWorkspace(tx: Tx, workspaceId: number): Promise<void> {
  const workspace = tx.selectFrom('workspaces').select('id').where('id', '=', workspaceId)
  await lockedToChange(tx, workspace).execute()
}

/**
 * The workspaces that would have no owner without this user. Locks all in which the user is, so that nobody becomes an owner in the
 * meantime, and the user makes no key.
 */
export async function workspacesOwnedAlone(tx: Tx, userId: number): Promise<number[]> {
  const memberships = tx.selectFrom('members').select('workspace_id').where('user_id', '=', userId)
  const locked = tx.selectFrom('workspaces').select('id').where('id', 'in', memberships).orderBy('id')
  await lockedToChange(tx, locked).execute()
  const ids = (await memberships.where('role', '=', 'owner').execute()).map((own) => own.workspace_id)
  if (ids.length === 0) return []
  const shared = await tx
    .selectFrom('members')
    .select('workspace_id')
    .where('workspace_id', 'in', ids)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .execute()
  const isShared = new Set(shared.map(({ workspace_id: id }) => id))
  return ids.filter((id) => !isShared.has(id))
}

/**
 * Deletes the keys and members of a workspace. Its links stop to redirect when the block list is read again, and
 * removeClosedWorkspaces removes the rest.
 */
export async function closeWorkspace(
  tx: Tx,
  { workspaceId, nowUs }: { workspaceId: number; nowUs: number },
): Promise<void> {
  await tx.deleteFrom('api_keys').where('workspace_id', '=', workspaceId).execute()
  await tx.deleteFrom('workspace_invitations').where('workspace_id', '=', workspaceId).execute()
  await tx.deleteFrom('members').where('workspace_id', '=', workspaceId).execute()
  await tx
    .updateTable('workspaces')
    .set({ name: '', closed_at: nowUs })
    .where('id', '=', workspaceId)
    .execute()
}

/**
 * Removes a member, with their saved views, their email reports and the invitations that they sent. After the workspace was locked.
 * Returns what happened to their keys.
 */
export async function leaveWorkspace(tx: Tx, caller: Caller, leaving: Leaving): ReturnType<typeof endKeysOf> {
  const { workspaceId } = caller
  const { userId } = leaving
  const keys = await endKeysOf(tx, caller, leaving)
  const invitations = tx.deleteFrom('workspace_invitations').where('workspace_id', '=', workspaceId)
  await invitations.where('invited_by', '=', userId).execute()
  const views = tx.deleteFrom('saved_views').where('workspace_id', '=', workspaceId)
  await views.where('user_id', '=', userId).execute()
  const reports = tx.deleteFrom('email_reports').where('workspace_id', '=', workspaceId)
  await reports.where('user_id', '=', userId).execute()
  const members = tx.deleteFrom('members').where('workspace_id', '=', workspaceId)
  await members.where('user_id', '=', userId).execute()
  return keys
}

/** Removes the user from all workspaces. After they were locked. */
export async function leaveWorkspaces(
  tx: Tx,
  by: Actor & { userId: number },
  { nowUs }: { nowUs: number },
): Promise<void> {
  const { userId } = by
  const members = await tx
    .selectFrom('members')
    .select(['workspace_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('workspace_id')
    .execute()
  for (const { workspace_id: workspaceId, role } of members) {
    const leaving = { userId, role: toMemberRole(role), keepsKeys: false, nowUs }
    await leaveWorkspace(tx, operatorIn(workspaceId, by), leaving)
  }
}
