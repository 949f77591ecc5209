import { recordChange } from '../../audit/record-change.ts'
import { transact } from '../../store/transact.ts'
import type { SignedInCaller } from '../../access/caller.ts'
import { type ViewDeps, viewNotFound } from './save-view.ts'

/** Users delete the views they saved. Admins also delete those that others share. */
export async function deleteView({ db, clock }: ViewDeps, caller: SignedInCaller, id: number): Promise<void> {
  const isAdmin = caller.can('workspace:write')
  await transact(db, async (tx) => {
    const deleted = await tx
      .deleteFrom('saved_views')
      .where('id', '=', id)
      .where('account_id', '=', caller.workspaceId)
      .where((eb) => {
        const isOwn = eb('user_id', '=', caller.userId)
        return isAdmin ? eb.or([isOwn, eb('is_shared', '=', 1)]) : isOwn
      })
      .returning(['name as target', 'is_shared as isShared'])
      .executeTakeFirst()
    if (deleted === undefined) throw viewNotFound()
    const { target, isShared } = deleted
    const change = { nowUs: clock.nowUs(), action: 'view.deleted', target, targetId: id } as const
    if (isShared === 1) await recordChange(tx, caller, change)
  })
}
