import { lockedToChange } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { Caller } from '../../access/caller.ts'
import { countLinks } from '../lists/count-links.ts'
import type { EditLinkDeps } from '../edit-link.ts'
import { findKeys, noSuchLink } from '../find-link.ts'
import type { LinkKey } from '../link-key.ts'
import { encodeOtherKeys } from './deleted-links.ts'
import { removeLinkText } from '../lists/link-text.ts'

/**
 * Moves the link to the trash: it stops redirecting at once. Its codes stay its owner's in `codes`, and its clicks stay in
 * the counters. See restoreLink.
 */
export async function deleteLink(deps: EditLinkDeps, caller: Caller, key: LinkKey): Promise<void> {
  const keys = await transact(deps.db, async (tx) => {
    const { linkId } = await findKeys(tx, caller, key)
    const keys = await lockCodes(tx, linkId)
    const row = await tx.deleteFrom('links').where('id', '=', linkId).returningAll().executeTakeFirst()
    if (row === undefined) throw noSuchLink()
    const { updated_at: _, ...kept } = row
    await tx
      .insertInto('deleted_links')
      .values({ ...kept, deleted_at: deps.clock.nowUs(), other_keys: encodeOtherKeys(ownKey(row), keys) })
      .execute()
    await removeLinkText(tx, row.id)
    await countLinks(tx, caller.workspaceId, {
      links: -1,
      active: -row.is_active,
      archived: -(row.is_archived ?? 0),
    })
    return keys
  })
  deps.changes.changed(keys)
}

const ownKey = (row: { domain_id: number; code: string }): LinkKey => ({
  domainId: row.domain_id,
  code: row.code,
})

/** Before the link, and in the order in which a creation claims codes: both would otherwise wait for each other. */
async function lockCodes(tx: Tx, linkId: number): Promise<LinkKey[]> {
  const codes = tx.selectFrom('codes').select(['domain_id as domainId', 'code']).where('link_id', '=', linkId)
  return lockedToChange(tx, codes.orderBy('code').orderBy('domain_id')).execute()
}
