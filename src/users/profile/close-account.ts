import type { BlockChanges } from '../../links/destinations/block-host.ts'
import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { lock } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { closeWorkspace, leaveWorkspaces, workspacesOwnedAlone } from '../../workspaces/close-workspace.ts'
import { hasOpenWorkspace } from '../../workspaces/members.ts'
import { lockUser } from '../find-user.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { reauthenticate } from '../sign-in/reauthenticate.ts'
import { endAllSessions } from '../sign-in/session.ts'
import { dropTokens } from '../tokens/single-use-token.ts'

type CloseDeps = { db: DurableDb; clock: Clock; passwords: PasswordQueue; blocks: BlockChanges }

/**
 * Deletes a user and the workspaces that nobody else owns. Sign-ins, keys, links and everything personal are gone at once; a
 * job removes the rest in small steps (removeClosedWorkspaces, removeClosedUsers).
 */
export async function closeAccount(deps: CloseDeps, userId: number, password: unknown): Promise<void> {
  await reauthenticate(deps, userId, password)
  const nowUs = deps.clock.nowUs()
  await transact(deps.db, async (tx) => {
    await refuseLastOperator(tx, userId)
    await lockUser(tx, userId)
    await endAllSessions(tx, userId)
    await dropTokens(tx, userId)
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
    for (const workspaceId of await workspacesOwnedAlone(tx, userId)) {
      await closeWorkspace(tx, { workspaceId, nowUs })
    }
    await leaveWorkspaces(tx, { userId, nowUs })
    await forgetUser(tx, { userId, nowUs })
  })
  await deps.blocks.changed()
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

/** Without an operator, nobody could make another user one. */
export async function refuseLastOperator(tx: Tx, userId: number): Promise<void> {
  await lock(tx, 'operators')
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('closed_at', 'is', null)
    .where(hasOpenWorkspace)
    .limit(2)
    .execute()
  if (admins.length !== 1 || admins[0]!.id !== userId) return
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '!=', userId)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) {
    throw new Refusal(
      'conflict',
      'This is the only operator account. Make another account an operator first.',
    )
  }
}
