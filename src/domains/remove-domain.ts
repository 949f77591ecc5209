import type { Caller } from '../access/caller.ts'
import { recordChange } from '../audit/record-change.ts'
import { transact } from '../store/transact.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import type { DomainDeps } from './add-domain.ts'
import { findDomain, refuseShared } from './find-domains.ts'

/** Its short URLs stop working at once. The links and their codes stay with the workspace, which can add the domain again. */
export async function removeDomain(deps: DomainDeps, caller: Caller, name: string): Promise<void> {
  const { db, clock, redirectState } = deps
  const wasVerified = await transact(db, async (tx) => {
    await lockForCaller(tx, caller, 'domains:write')
    const domain = await findDomain({ db: tx }, caller, name)
    refuseShared(domain)
    const nowUs = clock.nowUs()
    if (domain.verified_at === null) await tx.deleteFrom('domains').where('id', '=', domain.id).execute()
    else
      await tx
        .updateTable('domains')
        .set({ host: null, removed_at: nowUs })
        .where('id', '=', domain.id)
        .execute()
    if (domain.isDefault)
      await tx
        .updateTable('workspaces')
        .set({ default_domain_id: null })
        .where('id', '=', caller.workspaceId)
        .execute()
    await recordChange(tx, caller, { nowUs, action: 'domain.removed', target: name, targetId: domain.id })
    return domain.verified_at !== null
  })
  if (wasVerified) await redirectState.changed()
}
