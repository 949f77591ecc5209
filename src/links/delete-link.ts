import { transact } from '../store/transact.ts'
import type { Caller } from '../caller.ts'
import { countLinks } from './count-links.ts'
import type { EditLinkDeps } from './edit-link.ts'
import { noSuchLink } from './find-link.ts'
import { removeLinkText } from './link-text.ts'

/**
 * Deletes the link, at once. Its code stays its owner's in `codes`, and its clicks stay in the counters. What it was is
 * kept for some moments, so that the deletion can be undone: see restoreLink.
 */
export async function deleteLink(deps: EditLinkDeps, caller: Caller, code: string): Promise<void> {
  await transact(deps.db, async (tx) => {
    const row = await tx
      .deleteFrom('links')
      .where('code', '=', code)
      .where('account_id', '=', caller.accountId)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw noSuchLink()
    const { updated_at: _, ...kept } = row
    await tx
      .insertInto('deleted_links')
      .values({ ...kept, deleted_at: deps.clock.nowUs() })
      .execute()
    await removeLinkText(tx, row.id)
    await countLinks(tx, caller.accountId, { links: -1, active: -row.is_active })
  })
  deps.changes.changed([code])
}
