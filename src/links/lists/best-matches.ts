import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { KeyOfDeps } from '../domains/key-of.ts'
import type { AnyDb } from '../../store/handles.ts'
import { containsAll, searchedLinkIds } from '../../store/link-search.ts'
import { selectLabels } from '../labels/find-labels.ts'
import type { Link } from '../link.ts'
import { linkCounts } from './count-links.ts'
import { exactKey } from './exact-match.ts'
import { foldSearch } from '../../store/fold-search.ts'
import { labeledIdsByAge } from './label-groups.ts'
import { linksInOrder, type ListLinksDeps, searchWay } from './list-links.ts'
import { type SearchTerms, searchTermsOf } from './search-terms.ts'

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
export async function bestMatches(
  { db, domains }: Omit<ListLinksDeps, 'clock'>,
  caller: Caller,
  search: string,
): Promise<BestMatches> {
  if (search === '') return { links: [], total: 0, isMore: false }
  const terms = searchTermsOf(search, domains)
  const [exact, { ids, isMore }] = await Promise.all([
    exactLink({ db, domains }, caller, { search, shortUrl: terms.shortUrl }),
    newestMatches(db, caller, terms),
  ])
  const found = new Set(exact === undefined ? ids : [exact, ...ids])
  const ranked = await rankedIds(db, [...found], exact)
  const tagged = ranked.length < FOUND_MAX ? await taggedIds(db, caller, terms.words) : []
  const shown = [...new Set([...ranked, ...tagged])].slice(0, FOUND_MAX)
  return { links: await linksInOrder(db, shown), total: found.size, isMore }
}

async function taggedIds(db: AnyDb, { workspaceId }: Caller, words: readonly string[]): Promise<number[]> {
  const tags = await selectLabels(db)
    .where('account_id', '=', workspaceId)
    .where('kind', '=', 'tag')
    .orderBy('folded_name')
    .execute()
  const found = tags
    .filter(({ name }) => words.every((word) => foldSearch(name).includes(word)))
    // "Print" before "Large print".
    .toSorted((one, other) => one.name.length - other.name.length)
    .slice(0, TAGS_MAX)
  if (found.length === 0) return []
  const group = { ids: found.map(({ id }) => id), links: 0, archived: 0 }
  const narrowed = { group, others: [], where: undefined }
  return labeledIdsByAge(db, narrowed, { direction: 'desc', limit: FOUND_MAX, offset: 0 })
}

async function exactLink(
  deps: KeyOfDeps,
  caller: Caller,
  asked: Parameters<typeof exactKey>[2],
): Promise<number | undefined> {
  const key = await exactKey(deps, caller, asked)
  if (key === undefined) return undefined
  const row = await deps.db
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .select('links.id')
    .where('codes.code', '=', key.code)
    .where('codes.domain_id', '=', key.domainId)
    .where('links.account_id', '=', caller.workspaceId)
    .executeTakeFirst()
  return row?.id
}

type Matches = { ids: number[]; isMore: boolean }

async function newestMatches(db: AnyDb, caller: Caller, terms: SearchTerms): Promise<Matches> {
  const { links } = await linkCounts(db, caller.workspaceId)
  const by = searchWay(terms.words, links)
  if (by === 'scan') {
    const ids = await matchesAmongNewest(db, caller, terms.words)
    return { ids, isMore: links > NEWEST_MAX || ids.length > RANKED_MAX }
  }
  const search = { workspaceId: caller.workspaceId, ...terms, by }
  const ids = await searchedLinkIds(db, search, { limit: RANKED_MAX + 1, offset: 0 })
  return { ids: ids.slice(0, RANKED_MAX), isMore: ids.length > RANKED_MAX }
}

async function matchesAmongNewest(
  db: AnyDb,
  { workspaceId }: Caller,
  words: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT link_id AS id FROM link_texts WHERE link_id IN (
      SELECT id FROM links WHERE account_id = ${workspaceId} ORDER BY created_at DESC, id DESC LIMIT ${NEWEST_MAX}
    ) AND ${containsAll(db, words)} ORDER BY link_id DESC LIMIT ${RANKED_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

async function rankedIds(db: AnyDb, ids: readonly number[], exact = 0): Promise<number[]> {
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
