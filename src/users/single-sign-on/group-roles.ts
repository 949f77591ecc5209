import { type Caller, operatorIn } from '../../access/caller.ts'
import { MEMBER_ROLES } from '../../access/roles-and-scopes.ts'
import { recordChange } from '../../audit/record-change.ts'
import type { GroupRole, OidcProvider } from '../../config/oidc-providers.ts'
import type { Log } from '../../runtime/log.ts'
import type { Tx } from '../../store/handles.ts'
import { lockWorkspace } from '../../workspaces/close-workspace.ts'
import { MEMBERS_MAX } from '../members/list-members.ts'
import { setRole } from '../members/member-changes.ts'
import { bindGroupWorkspace, logMissingWorkspace } from './group-workspaces.ts'

type InGroups = {
  userId: number
  email: string
  groups: readonly string[]
  provider: Pick<OidcProvider, 'id' | 'name' | 'groupRoles'>
  nowUs: number
}

/**
 * Gives the user the roles of their groups, of several the highest. Owners stay owners, and nobody is removed. A workspace that is
 * full or missing is left out: the user can sign in all the same.
 */
export async function applyGroupRoles(tx: Tx, log: Pick<Log, 'warn'>, user: InGroups): Promise<void> {
  const { id: provider, groupRoles } = user.provider
  const roles = new Map<number, GroupRole['role']>()
  for (const { group, workspace, role } of groupRoles.filter((each) => user.groups.includes(each.group))) {
    const groupWorkspace = await bindGroupWorkspace(tx, workspace)
    if ('error' in groupWorkspace) logMissingWorkspace(log, { provider, group, error: groupWorkspace.error })
    else if (!isAtLeast(roles.get(groupWorkspace.workspaceId), role))
      roles.set(groupWorkspace.workspaceId, role)
  }
  // In one order, so that two sign-ins do not wait for each other.
  for (const [workspaceId, role] of [...roles].toSorted(([a], [b]) => a - b))
    await giveRole(tx, user, { workspaceId, role })
}

const isAtLeast = (has: GroupRole['role'] | undefined, role: GroupRole['role']) =>
  has !== undefined && MEMBER_ROLES.indexOf(has) >= MEMBER_ROLES.indexOf(role)

type GivenRole = { workspaceId: number; role: GroupRole['role'] }

async function giveRole(tx: Tx, user: InGroups, { workspaceId, role }: GivenRole): Promise<void> {
  const { userId, email, nowUs, provider } = user
  await lockWorkspace(tx, workspaceId)
  const members = await tx
    .selectFrom('members')
    .select(['user_id', 'role'])
    .where('workspace_id', '=', workspaceId)
    .limit(MEMBERS_MAX)
    .execute()
  const before = members.find((member) => member.user_id === userId)?.role
  if (before === role || before === 'owner') return
  if (before === undefined && members.length >= MEMBERS_MAX) return
  const caller: Caller = operatorIn(workspaceId, { userId, actor: email, client: provider.name })
  const change = {
    nowUs,
    target: email,
    targetId: userId,
    changes: { role: { from: before ?? null, to: role } },
  }
  if (before === undefined) {
    await tx
      .insertInto('members')
      .values({ workspace_id: workspaceId, user_id: userId, role, joined_at: nowUs })
      .execute()
    return recordChange(tx, caller, { ...change, action: 'member.joined' })
  }
  await setRole(tx, { workspaceId, userId, role })
  return recordChange(tx, caller, { ...change, action: 'member.updated' })
}
