import type { Caller } from '../../access/caller.ts'
import type { LinksMax } from '../../config/links-by-plan.ts'
import { type ChangeLinksDeps, changeLinks } from '../change-links.ts'
import { noSuchLink } from '../find-link.ts'
import { takeFromTrash, type TrashKey } from './deleted-links.ts'
import { putBack } from './put-back.ts'
import { inTrashSinceUs } from './trash-period.ts'

export type RestoreLinkDeps = ChangeLinksDeps & { trashDays: number; linksMax: LinksMax }

/**
 * Takes a link out of the trash: it returns with its id, and so with its clicks. Its codes remained its owner's. It is
 * refused if its own code opens a newer link, or another link has its external ID; of its aliases, those that open
 * another link stay with theirs.
 */
export function restoreLink(deps: RestoreLinkDeps, caller: Caller, key: TrashKey): Promise<void> {
  return changeLinks(deps, {}, async (change) => {
    const sinceUs = inTrashSinceUs(change.nowUs, deps.trashDays)
    const row = await takeFromTrash(change.tx, caller, { key, sinceUs })
    if (row === undefined) throw noSuchLink()
    await putBack({ ...change, linksMax: deps.linksMax }, caller, [{ row, index: 0 }])
  })
}
