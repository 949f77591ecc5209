import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { foldSearch, isIndexed } from '../../store/fold-search.ts'
import { containsAll } from '../../store/link-search.ts'
import { selectLabels } from '../labels/find-labels.ts'
import type { Link } from '../link.ts'
import { exactMatch } from './exact-match.ts'
import { idsOf, type LinkList, type ListLinksDeps, openLinkList } from './link-list.ts'
import { NEWEST_FIRST } from './link-order.ts'
import { idsOfPage, isIndexSearch, labeledByAge } from './list-page.ts'
import { linksInOrder } from './list-links.ts'

const FOUND_MAX = 4
/** Only the newest matches are ranked and counted, so that a word of every link costs no more than a rare one. */
const RANKED_MAX = 1_000
/** The index finds no word of one or two characters. Such words are looked for in this many of the newest links. */
const NEWEST_MAX = 5_000
/** The links of more tags that the search finds are not looked at. */
const TAGS_MAX = 4

/** `isMore`: there are more than `total`, or may be. Both are of the search of the list, which finds nothing by tag. */
export type BestMatches = { links: Link[]; total: number; isMore: boolean }

/**
 * The few links of the caller that match best, at once: whose code, or short URL, is the text; then the newest; archived
 * ones last. What matches is what matches in a search of the list. If that leaves space, the newest links follow of tags whose
 * names have all the words.
 */
export async function bestMatches(deps: ListLinksDeps, caller: Caller, search: string): Promise<BestMatches> {
  if (search === '') return { links: [], total: 0, isMore: false }
  const list = await openLinkList(deps, caller, { search, filters: { archived: 'include' } })
  const [exact, { ids, isMore }] = await Promise.all([
    exactMatch(deps, caller, { list, search }),
    newestMatches(list),
  ])
  const candidates = new Set(exact === undefined ? ids : [exact, ...ids])
  const ranked = await rankedIds(list, [...candidates], exact)
  const tagged = ranked.length < FOUND_MAX ? await taggedIds(list) : []
  const best = [...new Set([...ranked, ...tagged])].slice(0, FOUND_MAX)
  return { links: await linksInOrder(deps.db, best), total: candidates.size, isMore }
}

async function taggedIds(list: LinkList): Promise<number[]> {
  const { words } = list.terms!
  const tags = await selectLabels(list.db)
    .where('workspace_id', '=', list.workspaceId)
    .where('kind', '=', 'tag')
    .orderBy('folded_name')
    .execute()
  const ids = tags
    .filter(({ name }) => words.every((word) => foldSearch(name).includes(word)))
    // "Print" before "Large print".
    .toSorted((one, other) => one.name.length - other.name.length)
    .slice(0, TAGS_MAX)
    .map(({ id }) => id)
  const group = { ids, links: 0, archived: 0 }
  const slice = { order: NEWEST_FIRST, limit: FOUND_MAX, offset: 0 }
  return labeledByAge({ ...list, terms: undefined }, group, slice)
}

type Matches = { ids: number[]; isMore: boolean }

async function newestMatches(list: LinkList): Promise<Matches> {
  if (isIndexSearch(list) && !list.terms!.words.some(isIndexed)) {
    const ids = await matchesAmongNewest(list)
    return { ids, isMore: list.counts.links > NEWEST_MAX || ids.length > RANKED_MAX }
  }
  const ids = await idsOfPage(list, { order: NEWEST_FIRST, limit: RANKED_MAX + 1, offset: 0 })
  return { ids: ids.slice(0, RANKED_MAX), isMore: ids.length > RANKED_MAX }
}

const matchesAmongNewest = ({ db, workspaceId, terms }: LinkList): Promise<number[]> =>
  idsOf(
    db,
    sql`SELECT link_id AS id FROM link_texts WHERE link_id IN (
      SELECT id FROM links WHERE workspace_id = ${workspaceId} ORDER BY created_at DESC, id DESC LIMIT ${NEWEST_MAX}
    ) AND ${containsAll(db, terms!.words)} ORDER BY link_id DESC LIMIT ${RANKED_MAX}`,
  )

async function rankedIds({ db }: LinkList, ids: readonly number[], exact = 0): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('links')
    .select('id')
    .where('id', 'in', ids)
    .orderBy(sql`CASE WHEN id = ${exact} THEN 0 WHEN is_archived = 1 THEN 2 ELSE 1 END`)
    .orderBy('id', 'desc')
    .limit(FOUND_MAX)
    .execute()
  return rows.map(({ id }) => id)
}
