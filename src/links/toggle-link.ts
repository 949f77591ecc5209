import type { Caller } from '../access/caller.ts'
import { type ChangeLinksDeps, changeLinks } from './change-links.ts'
import { recordLinkChanges } from './link-changes.ts'
import { countLinks } from './lists/count-links.ts'
import { findKeys, noSuchLink } from './find-link.ts'
import type { LinkKey } from './link-key.ts'
import { recordVersion } from './versions/record-version.ts'

/** Turns the link on or off, whichever it was not, in one statement: of parallel toggles each sees another state. */
export function toggleLink(
  deps: ChangeLinksDeps,
  caller: Caller,
  key: LinkKey,
): Promise<{ isActive: boolean }> {
  return changeLinks(deps, {}, async ({ tx, nowUs, changedKeys }) => {
    const { linkId, own, keys } = await findKeys(tx, caller, key)
    const row = await tx
      .updateTable('links')
      .set((eb) => ({ is_active: eb(eb.val(1), '-', eb.ref('is_active')), updated_at: nowUs }))
      .where('id', '=', linkId)
      .returning('is_active')
      .executeTakeFirst()
    if (row === undefined) throw noSuchLink()
    const isActive = row.is_active === 1
    const changes = { is_active: { from: !isActive, to: isActive } }
    await recordVersion(tx, caller, { linkId, nowUs, changes })
    const links = [{ ...own, id: linkId, changes }]
    await recordLinkChanges(tx, caller, { nowUs, action: 'link.updated', links })
    await countLinks(tx, caller.workspaceId, { links: 0, active: isActive ? 1 : -1, archived: 0 })
    changedKeys.push(...keys)
    return { isActive }
  })
}
