import type { SignedInCaller } from '../../access/caller.ts'
import { recordChange } from '../../audit/record-change.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import { transact } from '../../store/transact.ts'
import { lockForCaller } from '../../workspaces/lock-for-caller.ts'
import { userById } from '../find-user.ts'
import { type MemberDeps } from './member-changes.ts'
import { readWorkspaceName } from './workspaces-of-user.ts'

type WorkspaceChanges = { name?: unknown; requiresSecondFactor?: unknown }

/** Only somebody who has a second factor can require it of all. */
export async function changeWorkspace(
  { db, clock }: MemberDeps,
  caller: SignedInCaller,
  { name, requiresSecondFactor: required }: WorkspaceChanges,
): Promise<void> {
  const columns = {
    ...(name === undefined ? {} : { name: readWorkspaceName(name) }),
    ...(required === undefined ? {} : { requires_second_factor: Number(readFlag(required)) }),
  }
  if (Object.keys(columns).length === 0) return
  const { workspaceId, userId } = caller
  await transact(db, async (tx) => {
    await lockForCaller(tx, caller, 'workspace:write')
    const before = await tx
      .selectFrom('workspaces')
      .select(['name', 'requires_second_factor'])
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow()
    if (columns.requires_second_factor === 1 && !(await userById(tx, userId)).hasSecondFactor)
      throw new Refusal('second_factor_first', 'Turn on two-factor sign-in for yourself first.')
    const after = { ...before, ...columns }
    await tx.updateTable('workspaces').set(columns).where('id', '=', workspaceId).execute()
    const isRenamed = after.name !== before.name
    const isOther = after.requires_second_factor !== before.requires_second_factor
    if (!isRenamed && !isOther) return
    await recordChange(tx, caller, {
      ...{ nowUs: clock.nowUs(), action: 'workspace.updated', target: before.name, targetId: workspaceId },
      changes: {
        ...(isRenamed && { name: { from: before.name, to: after.name } }),
        ...(isOther && {
          requires_second_factor: {
            from: before.requires_second_factor !== 0,
            to: after.requires_second_factor !== 0,
          },
        }),
      },
    })
  })
}

function readFlag(sent: unknown): boolean {
  if (typeof sent !== 'boolean')
    throw invalid({ requires_second_factor: ['The requires second factor field must be true or false.'] })
  return sent
}
