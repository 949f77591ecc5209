import { type Actor, operatorIn } from '../access/caller.ts'
import { recordChange } from '../audit/record-change.ts'
import { Refusal } from '../errors/refusal.ts'
import type { RedirectStateChanges } from '../links/destinations/block-host.ts'
import type { Clock } from '../runtime/clock.ts'
import { lock } from '../store/engine-sql.ts'
import type { DurableDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { lockUser } from '../users/find-user.ts'
import { refuseLastOperator } from '../users/profile/close-account.ts'
import { endAllSessions } from '../users/sign-in/session.ts'
import { workspaceToChange } from './manage-workspaces.ts'

export type SuspendDeps = { db: DurableDb; clock: Clock; redirectState: RedirectStateChanges }

/** Its keys are refused, its links answer 410, and members of no other workspace cannot sign in. Nothing is removed. */
export async function suspendWorkspace(
  { db, clock, redirectState }: SuspendDeps,
  by: Actor,
  workspaceId: number,
): Promise<void> {
  await transact(db, async (tx) => {
    await lock(tx, 'operators')
    await workspaceToChange(tx, workspaceId)
    // After the lock, so that nobody joins from here on.
    const lockedOut = await membersOfNoOther(tx, workspaceId)
    if (by.userId !== null && lockedOut.includes(by.userId))
      throw new Refusal('not_for_yourself', 'You cannot suspend your only workspace.')
    for (const memberId of lockedOut) await refuseLastOperator(tx, memberId)
    const nowUs = clock.nowUs()
    await changeSuspension({ tx, nowUs }, by, { workspaceId, suspendedAt: nowUs })
  })
  await redirectState.changed()
  await signOutMembers(db, workspaceId)
}

/**
 * In a transaction of its own, because users are locked before workspaces. Until then their sessions are of no use: nobody works in a
 * suspended workspace.
 */
async function signOutMembers(db: DurableDb, workspaceId: number): Promise<void> {
  await transact(db, async (tx) => {
    for (const memberId of await membersOfNoOther(tx, workspaceId)) {
      // In the order of signing in: the user first, then the sessions.
      await lockUser(tx, memberId)
      await endAllSessions(tx, memberId)
    }
  })
}

export async function reinstateWorkspace(
  { db, clock, redirectState }: SuspendDeps,
  by: Actor,
  workspaceId: number,
): Promise<void> {
  const nowUs = clock.nowUs()
  await transact(db, (tx) => changeSuspension({ tx, nowUs }, by, { workspaceId, suspendedAt: null }))
  await redirectState.changed()
}

type Suspension = { workspaceId: number; suspendedAt: number | null }

/** Nothing is written if the workspace is suspended, or is not, already. */
async function changeSuspension(
  { tx, nowUs }: { tx: Tx; nowUs: number },
  by: Actor,
  { workspaceId, suspendedAt }: Suspension,
): Promise<void> {
  const { name, suspended_at: before } = await workspaceToChange(tx, workspaceId)
  if ((before === null) === (suspendedAt === null)) return
  const query = tx.updateTable('workspaces').set({ suspended_at: suspendedAt })
  await query.where('id', '=', workspaceId).execute()
  const action = suspendedAt === null ? 'workspace.reinstated' : 'workspace.suspended'
  const change = { nowUs, action, target: name, targetId: workspaceId } as const
  await recordChange(tx, operatorIn(workspaceId, by), change)
}

/** The members of a workspace who have no other open workspace, by id. */
async function membersOfNoOther(tx: Tx, workspaceId: number): Promise<number[]> {
  const others = tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select('members.user_id')
    .where('members.workspace_id', '!=', workspaceId)
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
  const rows = await tx
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', 'not in', others)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id: userId }) => userId)
}
