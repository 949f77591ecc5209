import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import { indexRestoredLink, lockedToChange } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { EditLinkDeps } from '../edit-link.ts'
import { noSuchLink } from '../find-link.ts'
import { isSameKey, type LinkKey } from '../link-key.ts'
import { countLinks } from '../lists/count-links.ts'
import { writeLinkTexts } from '../lists/link-text.ts'
import { otherKeys, takeFromTrash } from './deleted-links.ts'
import { inTrashSinceUs } from './trash-period.ts'

export type RestoreLinkDeps = EditLinkDeps & { trashDays: number }

/**
 * Takes a link out of the trash: it returns with its id, and so with its clicks. Its codes remained its owner's. It is
 * refused if its own code opens a newer link; of its other codes, those that do stay with theirs.
 */
export async function restoreLink(deps: RestoreLinkDeps, caller: Caller, key: LinkKey): Promise<void> {
  const { workspaceId } = caller
  const now = deps.clock.nowUs()
  const keys = await transact(deps.db, async (tx) => {
    const row = await takeFromTrash(tx, caller, { key, sinceUs: inTrashSinceUs(now, deps.trashDays) })
    if (row === undefined) throw noSuchLink()
    const { deleted_at: _, other_keys: encoded, ...link } = row
    await tx
      .insertInto('links')
      .values({ ...link, updated_at: now })
      .execute()
    const opened = await openAgain(tx, caller, { linkId: link.id, keys: [key, ...otherKeys(encoded)] })
    if (!opened.some((each) => isSameKey(each, key))) throw codeInUse()
    const aliases = opened.filter((each) => !isSameKey(each, key)).map(({ code }) => code)
    const { id: linkId, original_url: originalUrl, title, code, notes } = link
    await writeLinkTexts(tx, [{ linkId, workspaceId, title, originalUrl, code, aliases, notes }])
    await indexRestoredLink(tx, link.id)
    await countLinks(tx, workspaceId, {
      links: 1,
      active: link.is_active,
      archived: link.is_archived ?? 0,
    })
    return opened
  })
  deps.changes.changed(keys)
}

const codeInUse = () => invalid({ short_code: ['The short code opens another link now.'] })

type Reopened = { linkId: number; keys: readonly LinkKey[] }

/** Those of the codes that are still the workspace's and open nothing else, in the order in which a creation claims codes. */
async function openAgain(tx: Tx, { workspaceId }: Caller, { linkId, keys }: Reopened): Promise<LinkKey[]> {
  const own = tx
    .selectFrom('codes')
    .select(['domain_id as domainId', 'code'])
    .where('code', 'in', [...new Set(keys.map(({ code }) => code))])
    .where('account_id', '=', workspaceId)
    .where('link_id', 'is', null)
    .orderBy('code')
    .orderBy('domain_id')
  const found = await lockedToChange(tx, own).execute()
  const free = found.filter((each) => keys.some((key) => isSameKey(each, key)))
  for (const { code, domainId } of free) {
    const row = tx.updateTable('codes').set({ link_id: linkId }).where('code', '=', code)
    await row.where('domain_id', '=', domainId).execute()
  }
  return free
}
