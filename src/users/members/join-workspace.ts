import { callerWithRole, type SignedInCaller } from '../../access/caller.ts'
import type { MemberRole } from '../../access/roles-and-scopes.ts'
import { recordChange } from '../../audit/record-change.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AnyDb, DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { lockWorkspace } from '../../workspaces/close-workspace.ts'
import { toMemberRole } from '../../workspaces/members.ts'
import { hashSecret } from '../tokens/secret-text.ts'
import { userById } from '../find-user.ts'
import { MEMBERS_MAX } from './list-members.ts'
import { WORKSPACES_MAX } from './workspaces-of-user.ts'

type JoinDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

export type WorkspaceInvitation = {
  workspaceId: number
  workspaceName: string
  email: string
  role: MemberRole
  /** Null when that user is gone. */
  invitedBy: string | null
}

/** Undefined if the token is unknown, used or expired, or its workspace or the member who sent it is suspended or gone. */
export async function findWorkspaceInvitation(
  { db, clock }: { db: AnyDb; clock: Pick<Clock, 'nowUs'> },
  token: string,
): Promise<WorkspaceInvitation | undefined> {
  const row = await db
    .selectFrom('workspace_invitations as invited')
    .innerJoin('workspaces', 'workspaces.id', 'invited.workspace_id')
    .leftJoin('users', 'users.id', 'invited.invited_by')
    .select(['workspaces.id as workspaceId', 'workspaces.name as workspaceName'])
    .select(['invited.email', 'invited.role', 'users.name as invitedBy'])
    .where('invited.token_hash', '=', hashSecret(token))
    .where('invited.expires_at', '>', clock.nowUs())
    .where('workspaces.suspended_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .executeTakeFirst()
  return row && { ...row, role: toMemberRole(row.role) }
}

/** A signed-in user accepts. Returns the ID of the workspace. */
export async function acceptInvitation(
  { db, clock }: JoinDeps,
  { userId, client }: SignedInCaller,
  token: string,
): Promise<number> {
  return transact(db, async (tx) => {
    const { email, name } = await userById(tx, userId)
    return joinWorkspace({ db: tx, clock }, { userId, name, email, token, device: client })
  })
}

type Joining = { userId: number; name: string; email: string; token: string; device: string }

/** Uses the invitation up. A member who is one already keeps their role. */
export async function joinWorkspace(
  { db: tx, clock }: { db: Tx; clock: Pick<Clock, 'nowUs'> },
  { userId, name, email, token, device }: Joining,
): Promise<number> {
  const invitation = await findWorkspaceInvitation({ db: tx, clock }, token)
  if (invitation === undefined) throw spentInvitation()
  if (invitation.email !== email)
    throw invalid({
      token: [`This invitation is for ${invitation.email}, and you are signed in as ${email}.`],
    })
  const { workspaceId } = invitation
  await lockWorkspace(tx, workspaceId)
  // It may have been suspended while this waited for the lock.
  if ((await findWorkspaceInvitation({ db: tx, clock }, token)) === undefined) throw spentInvitation()
  const invitationRow = await tx
    .deleteFrom('workspace_invitations')
    .where('token_hash', '=', hashSecret(token))
    .where('workspace_id', '=', workspaceId)
    .returning('role')
    .executeTakeFirst()
  if (invitationRow === undefined) throw spentInvitation()
  await refuseTooMany(tx, { workspaceId, userId })
  const nowUs = clock.nowUs()
  const membership = await tx
    .insertInto('members')
    .values({ workspace_id: workspaceId, user_id: userId, role: invitationRow.role, joined_at: nowUs })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doNothing())
    .returning('role')
    .executeTakeFirst()
  if (membership === undefined) return workspaceId
  const role = toMemberRole(membership.role)
  await recordChange(tx, callerWithRole({ workspaceId, userId, role, name, device }), {
    nowUs,
    action: 'member.joined',
    target: email,
    targetId: userId,
    changes: { role: { from: null, to: role } },
  })
  return workspaceId
}

async function refuseTooMany(
  tx: Tx,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<void> {
  const count = async (column: 'workspace_id' | 'user_id', id: number) => {
    const rows = tx.selectFrom('members').where(column, '=', id)
    const { members } = await rows
      .select((eb) => eb.fn.countAll<number>().as('members'))
      .executeTakeFirstOrThrow()
    return Number(members)
  }
  if ((await count('workspace_id', workspaceId)) >= MEMBERS_MAX)
    throw new Refusal('limit_reached', `This workspace has ${MEMBERS_MAX} members, which is the most.`)
  if ((await count('user_id', userId)) >= WORKSPACES_MAX)
    throw new Refusal('limit_reached', `You are in ${WORKSPACES_MAX} workspaces. Leave one first.`)
}

const spentInvitation = () =>
  invalid({ token: ['This invitation was already used or has expired. Ask for a new one.'] })
