import type { Caller } from '../access/caller.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import { applyEdit } from './apply-edit.ts'
import { type ChangeLinksDeps, changeLinks } from './change-links.ts'
import { findKeys } from './find-link.ts'
import type { LinkKey } from './link-key.ts'

/** Gives a link a title, unless it has got one or another destination since. */
export function fillTitle(
  deps: ChangeLinksDeps,
  caller: Caller,
  { key, originalUrl, title }: { key: LinkKey; originalUrl: string; title: string },
): Promise<void> {
  return changeLinks(deps, {}, async (change) => {
    const { tx } = change
    const own = await findKeys(tx, caller, key)
    const query = tx.selectFrom('links').select(['title', 'original_url']).where('id', '=', own.linkId)
    const link = await lockedToChange(tx, query).executeTakeFirst()
    if (link?.title !== '' || link.original_url !== originalUrl) return
    await applyEdit(change, caller, { ...own, edit: { title } })
  })
}
