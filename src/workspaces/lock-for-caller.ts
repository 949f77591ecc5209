import type { Caller } from '../access/caller.ts'
import { type Action, actionsOf } from '../access/roles-and-scopes.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Tx } from '../store/handles.ts'
import { lockWorkspace } from './close-workspace.ts'
import { toMemberRole } from './members.ts'
import { noSuchWorkspace } from './workspace.ts'

/**
 * Begins a change that roles decide about: locks the workspace and reads the caller's role again, because it may have changed since
 * the request was admitted. Returns the caller with what they may do now. `member`: in any role.
 */
export async function lockForCaller<Each extends Caller>(
  tx: Tx,
  caller: Each,
  action: Action | 'member',
): Promise<Each> {
  const { workspaceId, userId, memberRole: admitted } = caller
  await lockWorkspace(tx, workspaceId)
  if (admitted === undefined) return caller
  const member = await tx
    .selectFrom('members')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (member === undefined) throw noSuchWorkspace()
  const memberRole = toMemberRole(member.role)
  const actions = actionsOf(memberRole)
  const current = {
    ...caller,
    memberRole,
    can: (each: Action) => caller.can(each) && actions.includes(each),
  }
  if (action !== 'member' && !current.can(action)) throw roleMissing()
  return current
}

export const roleMissing = () =>
  new Refusal('role_insufficient', 'Insufficient permissions: your role in this workspace does not allow it.')
