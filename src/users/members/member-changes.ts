import { z } from 'zod'
import type { SignedInCaller } from '../../access/caller.ts'
import { MEMBER_ROLES, type MemberRole } from '../../access/roles-and-scopes.ts'
import { recordChange } from '../../audit/record-change.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { choice } from '../../validation/field-rules.ts'
import { leaveWorkspace } from '../../workspaces/close-workspace.ts'
import { lockForCaller } from '../../workspaces/lock-for-caller.ts'
import { toMemberRole } from '../../workspaces/members.ts'
import { keepOneOwned } from './workspaces-of-user.ts'

export const memberRole = z.object({ role: choice(MEMBER_ROLES) })
export const newOwner = z.object({ user_id: z.int('The :attribute must be the ID of a member.') })

export type MemberDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** Applies at once, on all nodes: every request reads the role. Only owners make owners, and change them. */
export async function changeMemberRole(
  { db, clock }: MemberDeps,
  caller: SignedInCaller,
  { userId, role }: { userId: number; role: MemberRole },
): Promise<void> {
  const { workspaceId } = caller
  await transact(db, async (tx) => {
    const current = await lockForCaller(tx, caller, 'members:manage')
    const member = await findMember(tx, { workspaceId, userId })
    const { role: before, email } = member
    if (role === before) return
    refuseForOwners(current, [role, before])
    if (role === 'owner') refuseUnusableOwner(member)
    if (before === 'owner') await refuseLastOwner(tx, workspaceId)
    await setRole(tx, { workspaceId, userId, role })
    const nowUs = clock.nowUs()
    if (before === 'owner') await keepOneOwned(tx, { userIds: [userId], nowUs })
    await recordChange(tx, caller, {
      nowUs,
      action: 'member.updated',
      target: email,
      targetId: userId,
      changes: { role: { from: before, to: role } },
    })
  })
}

/** Makes a member an owner, and the caller an admin. */
export async function transferWorkspace(
  { db, clock }: MemberDeps,
  caller: SignedInCaller,
  newOwnerId: number,
): Promise<void> {
  const { workspaceId, userId } = caller
  await transact(db, async (tx) => {
    await lockForCaller(tx, caller, 'workspace:own')
    const before = await findMember(tx, { workspaceId, userId })
    const after = await findMember(tx, { workspaceId, userId: newOwnerId })
    if (newOwnerId === userId) throw new Refusal('owner_already', 'You own this workspace already.')
    refuseUnusableOwner(after)
    await setRole(tx, { workspaceId, userId: newOwnerId, role: 'owner' })
    await setRole(tx, { workspaceId, userId, role: 'admin' })
    const nowUs = clock.nowUs()
    await keepOneOwned(tx, { userIds: [userId], nowUs })
    await recordChange(tx, caller, {
      nowUs,
      action: 'workspace.transferred',
      target: after.email,
      targetId: newOwnerId,
      changes: { owner: { from: before.email, to: after.email } },
    })
  })
}

/** Their next request is refused. Their keys are revoked unless the caller keeps them for the workspace. */
export async function removeMember(
  deps: MemberDeps,
  caller: SignedInCaller,
  { userId, keepsKeys }: { userId: number; keepsKeys: boolean },
): Promise<void> {
  if (userId === caller.userId)
    throw new Refusal('not_for_yourself', 'You cannot remove yourself. Leave instead.')
  await endMembership(deps, caller, { userId, keepsKeys, action: 'members:manage' })
}

/** Refused to the only owner. The user's keys in the workspace are revoked. */
export const leaveOwnWorkspace = (deps: MemberDeps, caller: SignedInCaller): Promise<void> =>
  endMembership(deps, caller, { userId: caller.userId, keepsKeys: false, action: 'member' })

type Ending = { userId: number; keepsKeys: boolean; action: 'members:manage' | 'member' }

async function endMembership(
  { db, clock }: MemberDeps,
  caller: SignedInCaller,
  { userId, keepsKeys, action: needed }: Ending,
): Promise<void> {
  const { workspaceId } = caller
  await transact(db, async (tx) => {
    const current = await lockForCaller(tx, caller, needed)
    const { role, email } = await findMember(tx, { workspaceId, userId })
    refuseForOwners(current, [role])
    if (role === 'owner') await refuseLastOwner(tx, workspaceId)
    const nowUs = clock.nowUs()
    const keys = await leaveWorkspace(tx, caller, { userId, role, keepsKeys, nowUs })
    await keepOneOwned(tx, { userIds: [userId], nowUs })
    await recordChange(tx, caller, {
      nowUs,
      action: needed === 'member' ? 'member.left' : 'member.removed',
      target: email,
      targetId: userId,
      changes: {
        role: { from: role, to: null },
        ...(keys !== 'none' && { keys: { from: null, to: keys } }),
      },
    })
  })
}

type MemberKey = { workspaceId: number; userId: number }
type FoundMember = {
  role: MemberRole
  email: string
  emailVerifiedAtUs: number | null
  suspendedAtUs: number | null
}

async function findMember(tx: Tx, { workspaceId, userId }: MemberKey): Promise<FoundMember> {
  const member = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.role', 'users.email'])
    .select(['users.email_verified_at as emailVerifiedAtUs', 'users.suspended_at as suspendedAtUs'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()
  if (member === undefined) throw new Refusal('member_not_found', 'Member not found.')
  return { ...member, role: toMemberRole(member.role) }
}

/** Invitations of somebody who may invite no longer would let others in on their behalf. */
export async function setRole(
  tx: Tx,
  { workspaceId, userId, role }: MemberKey & { role: MemberRole },
): Promise<void> {
  await tx
    .updateTable('members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
  if (role === 'owner' || role === 'admin') return
  await tx
    .deleteFrom('workspace_invitations')
    .where('workspace_id', '=', workspaceId)
    .where('invited_by', '=', userId)
    .execute()
}

function refuseForOwners(caller: SignedInCaller, roles: readonly MemberRole[]): void {
  if (roles.includes('owner') && !caller.can('workspace:own')) throw onlyOwners()
}

/** Nobody could do what only owners can. */
function refuseUnusableOwner({ emailVerifiedAtUs, suspendedAtUs }: FoundMember): void {
  if (suspendedAtUs !== null)
    throw new Refusal(
      'member_ineligible',
      'The operator has suspended this user, so they cannot become an owner.',
    )
  if (emailVerifiedAtUs === null)
    throw new Refusal(
      'member_ineligible',
      'This user must verify their email address before they can become an owner.',
    )
}

const onlyOwners = () => new Refusal('owner_required', 'Insufficient permissions: only owners can do this.')

/** After the workspace was locked. */
async function refuseLastOwner(tx: Tx, workspaceId: number): Promise<void> {
  const owners = await tx
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .limit(2)
    .execute()
  if (owners.length < 2)
    throw new Refusal('last_owner', 'A workspace needs an owner. Make somebody else its owner first.')
}
