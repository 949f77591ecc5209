import type { RedirectStateChanges } from '../../links/destinations/block-host.ts'
import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { lock } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { closeWorkspace, leaveWorkspaces, workspacesOwnedAlone } from '../../workspaces/close-workspace.ts'
import { canSignIn } from '../../workspaces/members.ts'
import { lockUser, userById } from '../find-user.ts'
import { type OwnActor, recordOwnChange } from '../members/record-own-change.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { type Proof, reauthenticate } from '../sign-in/reauthenticate.ts'
import { endAllSessions } from '../sign-in/session.ts'
import { dropTokens } from '../tokens/single-use-token.ts'

type CloseDeps = {
  db: DurableDb
  clock: Clock
  passwords: PasswordQueue
  redirectState: RedirectStateChanges
}

/**
 * Deletes a user and the workspaces that nobody else owns. Sign-ins, keys, links and everything personal are gone at once; a
 * job removes the rest in small steps (removeClosedWorkspaces, removeClosedUsers).
 */
export async function closeAccount(deps: CloseDeps, by: OwnActor, proof: Proof): Promise<void> {
  const { userId } = by
  await reauthenticate(deps, userId, proof)
  const nowUs = deps.clock.nowUs()
  await transact(deps.db, async (tx) => {
    await refuseLastOperator(tx, userId)
    await lockUser(tx, userId)
    await endAllSessions(tx, userId)
    await dropTokens(tx, userId)
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
    await tx.deleteFrom('user_identities').where('user_id', '=', userId).execute()
    const owned = await workspacesOwnedAlone(tx, userId)
    await refuseWithMembers(tx, { userId, workspaceIds: owned })
    for (const workspaceId of owned) {
      await closeWorkspace(tx, { workspaceId, nowUs })
    }
    const { email } = await userById(tx, userId)
    await recordOwnChange(tx, by, { nowUs, action: 'member.left', target: email, targetId: userId })
    await leaveWorkspaces(tx, by, { nowUs })
    await forgetUser(tx, { userId, nowUs })
  })
  await deps.redirectState.changed()
}

/** Others may still need the links. */
async function refuseWithMembers(
  tx: Tx,
  { userId, workspaceIds }: { userId: number; workspaceIds: readonly number[] },
): Promise<void> {
  if (workspaceIds.length === 0) return
  const shared = await tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select('workspaces.name')
    .where('members.workspace_id', 'in', workspaceIds)
    .where('members.user_id', '!=', userId)
    .orderBy('members.workspace_id')
    .limit(1)
    .executeTakeFirst()
  if (shared === undefined) return
  throw new Refusal(
    'workspace_shared',
    `The workspace “${shared.name}” has other members. Make one of them its owner, or delete the workspace first.`,
  )
}

type Leaving = { userId: number; nowUs: number }

async function forgetUser(tx: Tx, { userId, nowUs }: Leaving): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      name: '',
      // No email has this form, so the old one can sign up again.
      email: `closed ${userId}`,
      password_hash: '',
      email_verified_at: null,
      role: 'user',
      totp_secret: null,
      totp_enabled_at: null,
      closed_at: nowUs,
    })
    .where('id', '=', userId)
    .execute()
}

/** Without an operator, nobody could make another user one. The only user of all is not refused. */
export async function refuseLastOperator(tx: Tx, userId: number): Promise<void> {
  if (!(await isOnlyOperator(tx, userId))) return
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '!=', userId)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) throw onlyOperator()
}

/** Until the transaction ends, no other one changes who is an operator. */
export async function isOnlyOperator(tx: Tx, userId: number): Promise<boolean> {
  await lock(tx, 'operators')
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('closed_at', 'is', null)
    .where(canSignIn)
    .limit(2)
    .execute()
  return admins.length === 1 && admins[0]!.id === userId
}

export const onlyOperator = () =>
  new Refusal('last_operator', 'This is the only operator account. Make another account an operator first.')
