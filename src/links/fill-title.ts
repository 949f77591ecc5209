import type { Caller } from '../access/caller.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import { changeLink } from './edit-link.ts'
import type { LinkKey } from './link-key.ts'

/** Gives a link a title, unless it has got one or another destination since. */
export function fillTitle(
  deps: Parameters<typeof changeLink>[0],
  caller: Caller,
  { key, originalUrl, title }: { key: LinkKey; originalUrl: string; title: string },
): Promise<void> {
  return changeLink(deps, caller, {
    key,
    editsAliases: false,
    async editOf(tx, linkId) {
      const stored = tx.selectFrom('links').select(['title', 'original_url']).where('id', '=', linkId)
      const link = await lockedToChange(tx, stored).executeTakeFirst()
      return link?.title === '' && link.original_url === originalUrl ? { title } : undefined
    },
  })
}
