import type { SignedInCaller } from '../../access/caller.ts'
import type { RedirectStateChanges } from '../../links/destinations/block-host.ts'
import { invalid } from '../../errors/refusal.ts'
import { transact } from '../../store/transact.ts'
import { closeWorkspace } from '../../workspaces/close-workspace.ts'
import { lockForCaller } from '../../workspaces/lock-for-caller.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { type Proof, reauthenticate } from '../sign-in/reauthenticate.ts'
import { type MemberDeps } from './member-changes.ts'
import { keepOneOwned } from './workspaces-of-user.ts'

type DeleteDeps = MemberDeps & { passwords: PasswordQueue; redirectState: RedirectStateChanges }

/**
 * Deletes the workspace with its links, keys and members, as closing an account does: a job removes the rest in small steps, and
 * no code changes hands. `name` is typed by the user.
 */
export async function deleteWorkspace(
  deps: DeleteDeps,
  caller: SignedInCaller,
  { name, proof }: { name: string; proof: Proof },
): Promise<void> {
  const { workspaceId, userId } = caller
  await reauthenticate(deps, userId, proof)
  const nowUs = deps.clock.nowUs()
  await transact(deps.db, async (tx) => {
    await lockForCaller(tx, caller, 'workspace:own')
    const members = await tx
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select(['members.user_id', 'workspaces.name'])
      .where('workspaces.id', '=', workspaceId)
      .orderBy('members.user_id')
      .execute()
    // The caller is one of them.
    if (name !== members[0]!.name) throw invalid({ name: ['Type the name of the workspace.'] })
    await closeWorkspace(tx, { workspaceId, nowUs })
    await keepOneOwned(tx, { userIds: members.map((member) => member.user_id), nowUs })
  })
  await deps.redirectState.changed()
}
