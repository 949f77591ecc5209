import type { Caller } from '../access/caller.ts'
import { deleteLinkClicks } from '../clicks/deletion/delete-link-clicks.ts'
import { linkClicksQuery } from '../clicks/deletion/link-counters.ts'
import { removeImportedClicks } from '../clicks/imported/imported-clicks.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { Refusal } from '../errors/refusal.ts'
import { type ChangeLinksDeps, changeLinks } from './change-links.ts'
import { findKeys } from './find-link.ts'
import { recordLinkChanges } from './link-changes.ts'
import type { LinkKey } from './link-key.ts'

/** `imported`: clicks that another program had counted. */
export type DeletedClicks = { clicks: number; bots: number; imported: number }

/** Clicks are moved between the stores a few times a minute at most. */
const ATTEMPTS_MAX = 5
const RETRY_SECONDS = 5

/**
 * Deletes the clicks of a link that are counted or imported up to now, and says how many there were; the link stays. What its visitors have spent of
 * `max_clicks` stays spent. See docs/clicks.md.
 */
export async function deleteClicks(
  { clickQueries, ...deps }: ChangeLinksDeps & { clickQueries: ClickQueries },
  caller: Caller,
  key: LinkKey,
): Promise<DeletedClicks> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const { linkId, own } = await findKeys(deps.db, caller, key)
    const link = { workspaceId: caller.workspaceId, linkId }
    const moved = await clickQueries.answerMoved(deps.db, linkClicksQuery(link))
    const deleted = await changeLinks(deps, {}, async ({ tx, nowUs }) => {
      await findKeys(tx, caller, own)
      const exact = await deleteLinkClicks(tx, link, moved)
      if (exact === undefined) return undefined
      const counts = { ...exact, imported: await removeImportedClicks(tx, linkId) }
      if (counts.clicks + counts.bots + counts.imported === 0) return counts
      const changes = {
        clicks: { from: counts.clicks, to: 0 },
        bots: { from: counts.bots, to: 0 },
        ...(counts.imported > 0 && { imported_clicks: { from: counts.imported, to: 0 } }),
      }
      const links = [{ ...own, id: linkId, changes }]
      await recordLinkChanges(tx, caller, { nowUs, action: 'link.clicks_deleted', links })
      return counts
    })
    if (deleted !== undefined) return deleted
  }
  throw new Refusal(
    'store_unavailable',
    'The clicks of this link cannot be read completely at the moment, so none was deleted. Try again in a few seconds.',
    { retryAfterSeconds: RETRY_SECONDS },
  )
}
