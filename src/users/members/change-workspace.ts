import { z } from 'zod'
import type { SignedInCaller } from '../../access/caller.ts'
import { recordChange } from '../../audit/record-change.ts'
import { Refusal } from '../../errors/refusal.ts'
import { transact } from '../../store/transact.ts'
import { lockForCaller } from '../../workspaces/lock-for-caller.ts'
import { userById } from '../find-user.ts'
import { type MemberDeps } from './member-changes.ts'
import { trueOrFalse } from '../../validation/field-rules.ts'
import { nameField } from '../sign-up/create-account.ts'

export const workspaceChanges = z.object({
  name: nameField.optional(),
  requires_second_factor: trueOrFalse.optional(),
})

/** Only somebody who has a second factor can require it of all. */
export async function changeWorkspace(
  { db, clock }: MemberDeps,
  caller: SignedInCaller,
  { name, requires_second_factor: required }: z.output<typeof workspaceChanges>,
): Promise<void> {
  const columns = {
    ...(name === undefined ? {} : { name }),
    ...(required === undefined ? {} : { requires_second_factor: Number(required) }),
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
      nowUs: clock.nowUs(),
      action: 'workspace.updated',
      target: before.name,
      targetId: workspaceId,
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
