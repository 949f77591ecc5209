import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { findImportedClicks, type ImportedClicks } from '../../clicks/imported/imported-clicks.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { allOf, conditionsOf, idsOf, type ListLinksDeps, openLinkList } from './link-list.ts'
import type { LinkFilters } from './list-parameters.ts'

/** A link with the time of its last click, null if it had none, and with the clicks that were imported with it. */
export type ClickedLink = {
  link: Link
  lastClickedAtUs: number | null
  imported?: ImportedClicks | undefined
}

/** Other requests wait while one page is written out. */
const LINKS_AT_ONCE = 500

/**
 * All links of a list, the newest first, a few at a time. Each page begins below the last ID of the one before: links that
 * are created in between have higher IDs and are not among them, and none is there twice.
 */
export async function* everyLink(
  deps: ListLinksDeps,
  caller: Caller,
  request: { search: string; filters: LinkFilters },
): AsyncGenerator<ClickedLink[]> {
  const list = await openLinkList(deps, caller, request)
  const where = allOf(conditionsOf(list))
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    // Along the texts, which an index has by workspace and ID.
    const ids = await idsOf(
      deps.db,
      sql`SELECT links.id FROM link_texts JOIN links ON links.id = link_texts.link_id
        WHERE link_texts.workspace_id = ${caller.workspaceId} AND link_texts.link_id < ${before} AND ${where}
        ORDER BY link_texts.link_id DESC LIMIT ${LINKS_AT_ONCE}`,
    )
    if (ids.length === 0) return
    yield await linksOf(deps.db, ids)
    before = ids.at(-1)!
  }
}

async function linksOf(db: ReadOnlyDb, ids: readonly number[]): Promise<ClickedLink[]> {
  const rows = await selectLinks(db)
    .select('link_totals.last_clicked_at')
    .where('links.id', 'in', ids)
    .orderBy('links.id', 'desc')
    .execute()
  const imported = await findImportedClicks(db, ids)
  return rows.map((row) => ({
    link: toLink(row),
    lastClickedAtUs: row.last_clicked_at,
    imported: imported.get(row.id),
  }))
}
