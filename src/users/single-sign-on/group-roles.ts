import { type Caller, operatorIn } from '../../access/caller.ts'
import { MEMBER_ROLES } from '../../access/roles-and-scopes.ts'
import { recordChange } from '../../audit/record-change.ts'
import type { GroupRole } from '../../config/oidc-providers.ts'
import type { Tx } from '../../store/handles.ts'
import { lockWorkspace } from '../../workspaces/close-workspace.ts'
import { MEMBERS_MAX } from '../members/list-members.ts'
import { setRole } from '../members/member-changes.ts'

type InGroups = {
  userId: number
  email: string
  groups: readonly string[]
  groupRoles: readonly GroupRole[]
  /** The provider, for the audit log. */
  providerName: string
  nowUs: number
}

/**
 * Gives the user the roles of their groups, of several the highest. Owners stay owners, and nobody is removed. A workspace that is
 * full or missing is left out: the user can sign in all the same.
 */
export async function applyGroupRoles(tx: Tx, user: InGroups): Promise<void> {
  const own = user.groupRoles.filter(({ group }) => user.groups.includes(group))
  const roles = new Map<number, GroupRole['role']>()
  for (const { workspace, role } of own) {
    const workspaceId = await openWorkspace(tx, workspace)
    if (workspaceId === undefined || isAtLeast(roles.get(workspaceId), role)) continue
    roles.set(workspaceId, role)
  }
  // In one order, so that two sign-ins do not wait for each other.
  for (const [workspaceId, role] of [...roles].toSorted(([a], [b]) => a - b))
    await giveRole(tx, user, { workspaceId, role })
}

const isAtLeast = (has: GroupRole['role'] | undefined, role: GroupRole['role']) =>
  has !== undefined && MEMBER_ROLES.indexOf(has) >= MEMBER_ROLES.indexOf(role)

async function openWorkspace(tx: Tx, workspace: number | string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('workspaces')
    .select('id')
    .where(typeof workspace === 'number' ? 'id' : 'name', '=', workspace)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

type Given = { workspaceId: number; role: GroupRole['role'] }

async function giveRole(tx: Tx, user: InGroups, { workspaceId, role }: Given): Promise<void> {
  const { userId, email, nowUs, providerName } = user
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
  const caller: Caller = operatorIn(workspaceId, { userId, actor: email, client: providerName })
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
