import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Domains } from '../domains/domains.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { isIndexed, type LinkSearch, searchedLinkCount, searchedLinkIds } from '../../store/link-search.ts'
import type { LinkKey } from '../link-key.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { countListed } from './count-listed.ts'
import { linkCounts } from './count-links.ts'
import { exactFirst, exactKey } from './exact-match.ts'
import {
  allOf,
  type Condition,
  filterConditions,
  filterMoment,
  type FilterMoment,
  narrowedTo,
  ownedBy,
} from './link-list.ts'
import {
  fewestLinks,
  isNear,
  isSortable,
  labeledIds,
  labeledIdsByAge,
  labeledWith,
  worthReading,
} from './label-groups.ts'
import type { LinkFilters } from './list-parameters.ts'
import { type LinkOrder, NEWEST_FIRST, orderBy } from './link-order.ts'
import { type SearchTerms, searchTermsOf } from './search-terms.ts'
import { nearSortedIds, sortedIds } from './sorted-links.ts'

/** Reading the texts of so few links is quicker than asking the index, which holds everybody's. */
const FEW_LINKS = 2_000
/** Of a search that finds more, only the newest are sorted by anything but their age. */
const SORTED_MATCHES_MAX = 5_000

export type LinkPage = {
  /** From 1. */
  page: number
  perPage: number
  /** Words of title, URL and code in any order, whatever their case, or a short URL; blank finds all. */
  search: string
  filters: LinkFilters
  /** The newest first by default. */
  order?: LinkOrder
}

export type ListLinksDeps = { db: ReadOnlyDb; clock: Clock; domains: Domains }

/** A page of the caller's links, and how many there are in all. By age, the one whose code is searched for comes first. */
export async function listLinks(
  { db, clock, domains }: ListLinksDeps,
  caller: Caller,
  { page, perPage, search, filters, order = NEWEST_FIRST }: LinkPage,
): Promise<{ links: Link[]; total: number }> {
  const counts = await linkCounts(db, caller.workspaceId)
  const moment = await filterMoment({ db, domains }, caller, { filters, counts, nowUs: clock.nowUs() })
  const slice: Slice = { limit: perPage, offset: (page - 1) * perPage, order }
  const terms = searchTermsOf(search, domains)
  const isPlain = order.sort === 'created_at' && order.direction === 'desc'
  const exact = isPlain ? await exactKey({ db, domains }, caller, { search, ...terms }) : undefined
  const list = search === '' ? ownLinks : foundLinks(terms, exact)
  const { ids, total } = await list(moment, caller, { filters, slice })
  return { links: await linksInOrder(db, ids), total }
}

type Slice = { limit: number; offset: number; order: LinkOrder }
type Wanted = { filters: LinkFilters; slice: Slice }
type Found = { ids: number[]; total: number }

async function ownLinks(moment: FilterMoment, caller: Caller, wanted: Wanted): Promise<Found> {
  const total = await countListed(moment, wanted.filters)
  const isByAge = wanted.slice.order.sort === 'created_at'
  const ids = isByAge ? ownByAge(moment, caller, { ...wanted, total }) : ownSorted(moment, caller, wanted)
  return { ids: await ids, total }
}

async function ownByAge(
  moment: FilterMoment,
  { workspaceId }: Caller,
  { filters, slice, total }: Wanted & { total: number },
): Promise<number[]> {
  const { db, labelGroups, counts } = moment
  const group = fewestLinks(labelGroups, counts.links)
  if (group !== undefined) {
    const narrowed = narrowedTo(group, filters, moment)
    const byAge = { ...slice, direction: slice.order.direction }
    if (isNear(byAge)) return labeledIdsByAge(db, narrowed, byAge)
    if (isSortable(group)) return labeledIds(db, narrowed, slice)
  }
  const where = allOf(filterConditions(filters, moment))
  return idsByAge(db, ownedBy(workspaceId, filters), { ...slice, where, total })
}

/** Links of a label are met among the first of all links in the order, or they are sorted themselves. */
async function ownSorted(
  moment: FilterMoment,
  caller: Caller,
  { filters, slice }: Wanted,
): Promise<number[]> {
  const { db, labelGroups, counts } = moment
  const view = { ...slice, where: allOf(filterConditions(filters, moment)) }
  const group = fewestLinks(labelGroups, counts.links)
  if (group === undefined) return sortedIds(db, caller, view)
  const within = worthReading(group, slice, counts.links)
  const near = within === undefined ? undefined : await nearSortedIds(db, caller, { ...view, within })
  return near ?? labeledIds(db, narrowedTo(group, filters, moment), slice)
}

const foundLinks =
  (terms: SearchTerms, exact: LinkKey | undefined) =>
  async (moment: FilterMoment, caller: Caller, { filters, slice }: Wanted): Promise<Found> => {
    const { db, labelGroups, counts } = moment
    const where = allOf(filterConditions(filters, moment))
    const group = fewestLinks(labelGroups, counts.links)
    const way: Pick<LinkSearch, 'by' | 'among'> =
      group !== undefined && isSortable(group)
        ? { by: 'workspace', among: labeledWith(group) }
        : { by: searchWay(terms.words, counts.links) }
    const search: LinkSearch = { workspaceId: caller.workspaceId, ...terms, ...way, where }
    const { sort, direction } = slice.order
    const ids =
      sort === 'created_at'
        ? await (exact === undefined
            ? searchedLinkIds(db, search, { ...slice, direction })
            : exactFirst(db, search, { ...slice, exact }))
        : await sortedMatches(db, search, slice)
    return { ids, total: await searchedLinkCount(db, search) }
  }

/** How a search is quickest for a workspace with this number of links. */
export function searchWay(words: readonly string[], ownLinks: number): LinkSearch['by'] {
  if (ownLinks <= FEW_LINKS) return 'workspace'
  return words.some(isIndexed) ? 'trigrams' : 'scan'
}

async function sortedMatches(
  db: FilterMoment['db'],
  search: LinkSearch,
  { limit, offset, order }: Slice,
): Promise<number[]> {
  const matches = await searchedLinkIds(db, search, { limit: SORTED_MATCHES_MAX, offset: 0 })
  if (matches.length === 0) return []
  const rows = await selectLinks(db)
    .clearSelect()
    .select('links.id')
    .where('links.id', 'in', matches)
    .orderBy(orderBy(order))
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

type Narrowing = Pick<LinkSearch, 'where'>

/**
 * Ids first, rows after: the pages before this one are then skipped in the index alone. Beyond the middle, those behind
 * it are skipped instead, because they are fewer.
 */
async function idsByAge(
  db: FilterMoment['db'],
  owned: Condition,
  { limit, offset, order: { direction }, where, total }: Slice & Narrowing & { total: number },
): Promise<number[]> {
  const behind = Math.max(0, total - offset - limit)
  const fromEnd = behind < offset
  const way = fromEnd === (direction === 'desc') ? 'asc' : 'desc'
  const rows = await db
    .selectFrom('links')
    .select('id')
    .where(owned)
    .$if(where !== undefined, (query) => query.where(where!))
    .orderBy('created_at', way)
    .orderBy('id', way)
    .limit(fromEnd ? Math.max(0, Math.min(limit, total - offset)) : limit)
    .offset(fromEnd ? behind : offset)
    .execute()
  const ids = rows.map(({ id }) => id)
  return fromEnd ? ids.reverse() : ids
}

export async function linksInOrder(db: ReadOnlyDb, ids: readonly number[]): Promise<Link[]> {
  if (ids.length === 0) return []
  const rows = await selectLinks(db).where('links.id', 'in', ids).execute()
  const links = new Map(rows.map((row) => [row.id, toLink(row)]))
  return ids.flatMap((id) => links.get(id) ?? [])
}
