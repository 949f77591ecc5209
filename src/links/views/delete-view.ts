import { recordChange } from '../../audit/record-change.ts'
import { transact } from '../../store/transact.ts'
import type { SignedInCaller } from '../../access/caller.ts'
import { refuseOfShared, type ViewDeps, viewNotFound } from './save-view.ts'

/** Users delete the views they saved, shared ones only while they may share. Admins also delete those that others share. */
export async function deleteView({ db, clock }: ViewDeps, caller: SignedInCaller, id: number): Promise<void> {
  const { workspaceId, userId } = caller
  await transact(db, async (tx) => {
    const view = await tx
      .selectFrom('saved_views')
      .select(['name', 'is_shared', 'user_id'])
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst()
    if (view === undefined) throw viewNotFound()
    const isShared = view.is_shared === 1
    if (view.user_id !== userId && !(isShared && caller.can('workspace:write'))) throw viewNotFound()
    if (isShared) refuseOfShared(caller)
    const { numDeletedRows } = await tx
      .deleteFrom('saved_views')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw viewNotFound()
    const change = { nowUs: clock.nowUs(), action: 'view.deleted', target: view.name, targetId: id } as const
    if (isShared) await recordChange(tx, caller, change)
  })
}
