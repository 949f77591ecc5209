import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'

/** Changes of members take turns: so one owner always stays, and the number of members is exact. */
export async function lockWorkspace(tx: Tx, workspaceId: number): Promise<void> {
  const workspace = tx.selectFrom('workspaces').select('id').where('id', '=', workspaceId)
  await lockedToChange(tx, workspace).execute()
}

/** The workspaces that would have no owner without this user. Locks them, so that nobody becomes an owner in the meantime. */
export async function workspacesOwnedAlone(tx: Tx, userId: number): Promise<number[]> {
  const owned = tx
    .selectFrom('members')
    .select('workspace_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
  const locked = tx.selectFrom('workspaces').select('id').where('id', 'in', owned).orderBy('id')
  const ids = (await lockedToChange(tx, locked).execute()).map(({ id }) => id)
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
  await tx.deleteFrom('workspace_invitations').where('account_id', '=', workspaceId).execute()
  await tx.deleteFrom('members').where('workspace_id', '=', workspaceId).execute()
  await tx
    .updateTable('workspaces')
    .set({ name: '', closed_at: nowUs })
    .where('id', '=', workspaceId)
    .execute()
}

type Leaving = { workspaceId: number; userId: number; keepsKeys: boolean; nowUs: number }

/**
 * Removes a member, with their saved views and the invitations that they sent. The keys that they made there are revoked, or kept
 * without a user.
 */
export async function leaveWorkspace(
  tx: Tx,
  { workspaceId, userId, keepsKeys, nowUs }: Leaving,
): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set((eb) => ({
      user_id: null,
      ...(keepsKeys ? {} : { revoked_at: eb.fn.coalesce('revoked_at', eb.val(nowUs)) }),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
  const invitations = tx.deleteFrom('workspace_invitations').where('account_id', '=', workspaceId)
  await invitations.where('invited_by', '=', userId).execute()
  const views = tx.deleteFrom('saved_views').where('account_id', '=', workspaceId)
  await views.where('user_id', '=', userId).execute()
  const members = tx.deleteFrom('members').where('workspace_id', '=', workspaceId)
  await members.where('user_id', '=', userId).execute()
}

/** Removes the user from all workspaces. */
export async function leaveWorkspaces(
  tx: Tx,
  { userId, nowUs }: { userId: number; nowUs: number },
): Promise<void> {
  const joined = await tx
    .selectFrom('members')
    .select('workspace_id')
    .where('user_id', '=', userId)
    .orderBy('workspace_id')
    .execute()
  for (const { workspace_id: workspaceId } of joined)
    await leaveWorkspace(tx, { workspaceId, userId, keepsKeys: false, nowUs })
}
