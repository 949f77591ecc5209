import type { SignedInCaller } from '../../access/caller.ts'
import type { MemberRole } from '../../access/roles-and-scopes.ts'
import { recordChange } from '../../audit/record-change.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import { lock } from '../../store/engine-sql.ts'
import type { AnyDb, DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { toMemberRole } from '../../workspaces/members.ts'
import { createWorkspace, noSuchWorkspace } from '../../workspaces/workspace.ts'

/** Each has a plan and limits of its own. */
const OWNED_MAX = 20
/** Of one user, in any role. */
export const WORKSPACES_MAX = 100

export type WorkspaceOfUser = {
  id: number
  name: string
  role: MemberRole
  /** How many, the user included. */
  members: number
  /** Not counting those that have expired. */
  invitations: number
  requiresSecondFactor: boolean
}

/** The workspaces that the user can work in, in the order in which they were joined. */
export async function workspacesOf(
  { db, clock }: { db: AnyDb; clock: Pick<Clock, 'nowUs'> },
  userId: number,
): Promise<WorkspaceOfUser[]> {
  const rows = await db
    .selectFrom('members as own')
    .innerJoin('workspaces', 'workspaces.id', 'own.workspace_id')
    .select(['workspaces.id', 'workspaces.name', 'own.role', 'workspaces.requires_second_factor'])
    .select((eb) => [
      eb
        .selectFrom('members')
        .whereRef('members.workspace_id', '=', 'workspaces.id')
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('members'),
      eb
        .selectFrom('workspace_invitations as invited')
        .whereRef('invited.workspace_id', '=', 'workspaces.id')
        .where('invited.expires_at', '>', clock.nowUs())
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('invitations'),
    ])
    .where('own.user_id', '=', userId)
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .orderBy('own.joined_at')
    .orderBy('workspaces.id')
    .limit(WORKSPACES_MAX)
    .execute()
  return rows.map(({ requires_second_factor: required, ...row }) => ({
    ...row,
    role: toMemberRole(row.role),
    members: Number(row.members),
    invitations: Number(row.invitations),
    requiresSecondFactor: required !== 0,
  }))
}

type WorkspaceDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** A further workspace of the user, who owns it. Returns its ID. */
export async function makeWorkspace(
  { db, clock }: WorkspaceDeps,
  caller: SignedInCaller,
  name: string,
): Promise<number> {
  const { userId } = caller
  return transact(db, async (tx) => {
    await lock(tx, `workspaces of user ${userId}`)
    if ((await countOwned(tx, userId)) >= OWNED_MAX)
      throw new Refusal('limit_reached', `You own ${OWNED_MAX} workspaces already. Delete one first.`)
    const nowUs = clock.nowUs()
    const workspaceId = await createWorkspace(tx, { name, ownerId: userId, nowUs })
    const change = { nowUs, action: 'workspace.created', target: name, targetId: workspaceId } as const
    await recordChange(tx, { ...caller, workspaceId }, change)
    return workspaceId
  })
}

/** Everybody owns a workspace: users who gave away or deleted the last one get a new one. */
export async function keepOneOwned(
  tx: Tx,
  { userIds, nowUs }: { userIds: readonly number[]; nowUs: number },
): Promise<void> {
  for (const userId of userIds) {
    await lock(tx, `workspaces of user ${userId}`)
    if ((await countOwned(tx, userId)) > 0) continue
    const { name } = await tx
      .selectFrom('users')
      .select('name')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await createWorkspace(tx, { name, ownerId: userId, nowUs })
  }
}

/** Suspended ones too. */
async function countOwned(tx: Tx, userId: number): Promise<number> {
  const { owned } = await tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .where('members.user_id', '=', userId)
    .where('members.role', '=', 'owner')
    .where('workspaces.closed_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('owned'))
    .executeTakeFirstOrThrow()
  return Number(owned)
}

/** From now on the browser works in this workspace, and so do sessions that start later. Refused if the user is no member. */
export async function chooseWorkspace(
  { db }: { db: DurableDb },
  { id: sessionId, userId }: { id: number; userId: number },
  workspaceId: number,
): Promise<void> {
  await transact(db, async (tx) => {
    const isOpen = tx
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select('workspaces.id')
      .where('workspaces.id', '=', workspaceId)
      .where('members.user_id', '=', userId)
      .where('workspaces.suspended_at', 'is', null)
      .where('workspaces.closed_at', 'is', null)
    const { numUpdatedRows } = await tx
      .updateTable('sessions')
      .set({ workspace_id: workspaceId })
      .where('id', '=', sessionId)
      .where(({ exists }) => exists(isOpen))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw noSuchWorkspace()
    await tx.updateTable('users').set({ last_workspace_id: workspaceId }).where('id', '=', userId).execute()
  })
}
