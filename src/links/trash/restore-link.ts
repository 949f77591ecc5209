import type { Caller } from '../../access/caller.ts'
import type { LinksMax } from '../../config/links-by-plan.ts'
import { transact } from '../../store/transact.ts'
import type { EditLinkDeps } from '../edit-link.ts'
import { noSuchLink } from '../find-link.ts'
import { takeFromTrash, type TrashKey } from './deleted-links.ts'
import { putBack } from './put-back.ts'
import { inTrashSinceUs } from './trash-period.ts'

export type RestoreLinkDeps = EditLinkDeps & { trashDays: number; linksMax: LinksMax }

/**
 * Takes a link out of the trash: it returns with its id, and so with its clicks. Its codes remained its owner's. It is
 * refused if its own code opens a newer link, or another link has its external ID; of its aliases, those that open
 * another link stay with theirs.
 */
export async function restoreLink(deps: RestoreLinkDeps, caller: Caller, wanted: TrashKey): Promise<void> {
  const nowUs = deps.clock.nowUs()
  const keys = await transact(deps.db, async (tx) => {
    const row = await takeFromTrash(tx, caller, {
      key: wanted,
      sinceUs: inTrashSinceUs(nowUs, deps.trashDays),
    })
    if (row === undefined) throw noSuchLink()
    return putBack({ ...deps, tx, nowUs }, caller, [
      { row, codeField: 'short_code', externalIdField: 'external_id' },
    ])
  })
  deps.changes.changed(keys)
}
