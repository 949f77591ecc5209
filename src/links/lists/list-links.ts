import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import { isIndexed, type LinkSearch, searchedLinkCount, searchedLinkIds } from '../../store/link-search.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Archived, archivedCondition, listedCount, neededArchived } from './archived-links.ts'
import { linkCounts } from './count-links.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { type SearchTerms, searchTermsOf } from './search-terms.ts'

export const PER_PAGE_DEFAULT = 15
export const PER_PAGE_MAX = 100
export const SEARCH_CHARS_MAX = 255

/** Reading the texts of so few links is quicker than asking the index, which holds everybody's. */
const FEW_LINKS = 2_000

export type LinkPage = {
  /** From 1. */
  page: number
  /** From 1 to PER_PAGE_MAX. */
  perPage: number
  /** Words of title, URL and code in any order, whatever their case, or a short URL; blank finds all. */
  search: string
  archived: Archived
}

/** `ownHosts`: whose URLs are short URLs of this service. */
export type ListLinksDeps = { db: ReadOnlyDb; ownHosts: ReadonlySet<string> }

/** A page of the caller's links, newest first, and how many there are in all. */
export async function listLinks(
  { db, ownHosts }: ListLinksDeps,
  caller: Caller,
  { page, perPage, search, archived: asked }: LinkPage,
): Promise<{ links: Link[]; total: number }> {
  const counts = await linkCounts(db, caller.workspaceId)
  const archived = neededArchived(asked, counts)
  const slice = { limit: perPage, offset: (page - 1) * perPage }
  if (search === '') {
    const total = listedCount(archived, counts)
    const ids = await linkIds(db, caller, { ...slice, archived, total })
    return { links: await linksWithIds(db, ids), total }
  }
  const terms = searchTermsOf(search, ownHosts)
  const linkSearch = linkSearchOf(caller, { terms, archived, ownLinks: counts.links })
  const [ids, total] = await Promise.all([
    searchedLinkIds(db, linkSearch, slice),
    searchedLinkCount(db, linkSearch),
  ])
  return { links: await linksWithIds(db, ids), total }
}

/** How terms are searched for; it depends on how many links the caller has. */
export const linkSearchOf = (
  { workspaceId }: Caller,
  { terms, archived, ownLinks }: { terms: SearchTerms; archived: Archived; ownLinks: number },
): LinkSearch => ({
  workspaceId,
  ...terms,
  by: wayOf(terms.words, ownLinks),
  archived: archived === 'include' ? undefined : archived,
})

function wayOf(words: readonly string[], ownLinks: number): LinkSearch['by'] {
  if (ownLinks <= FEW_LINKS) return 'workspace'
  return words.some(isIndexed) ? 'trigrams' : 'scan'
}

type OwnSlice = { limit: number; offset: number; archived: Archived; total: number }

/**
 * Ids first, rows after: the pages before this one are then skipped in the index alone. Beyond the middle, those behind
 * it are skipped instead, because they are fewer.
 */
async function linkIds(
  db: ReadOnlyDb,
  caller: Caller,
  { limit, offset, archived, total }: OwnSlice,
): Promise<number[]> {
  const behind = Math.max(0, total - offset - limit)
  const fromEnd = behind < offset
  const direction = fromEnd ? 'asc' : 'desc'
  const rows = await db
    .selectFrom('links')
    .select('id')
    .where('account_id', '=', caller.workspaceId)
    .$if(archived !== 'include', (query) => query.where(archivedCondition(archived)))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(fromEnd ? Math.max(0, Math.min(limit, total - offset)) : limit)
    .offset(fromEnd ? behind : offset)
    .execute()
  return rows.map(({ id }) => id)
}

/** Newest first, in whichever order the ids are. */
async function linksWithIds(db: ReadOnlyDb, ids: readonly number[]): Promise<Link[]> {
  if (ids.length === 0) return []
  const rows = await selectLinks(db)
    .where('links.id', 'in', ids)
    .orderBy('links.created_at', 'desc')
    .orderBy('links.id', 'desc')
    .execute()
  return rows.map(toLink)
}

/** The text to search for; '' when none is given, or only blanks. */
export function readSearch(text: string | undefined): string {
  if (text === undefined) return ''
  const errors: string[] = []
  if ([...text].length > SEARCH_CHARS_MAX)
    errors.push(`The search may not be greater than ${SEARCH_CHARS_MAX} characters.`)
  if (text.includes('\0') || !text.isWellFormed()) errors.push('The search must be well-formed text.')
  if (errors.length > 0) throw invalid({ search: errors })
  return text.trim()
}
