import type { Caller } from '../../access/caller.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { countListed, keptCount } from './count-listed.ts'
import { exactMatch } from './exact-match.ts'
import { type LinkList, type ListLinksDeps, openLinkList } from './link-list.ts'
import type { LinkFilters } from './list-parameters.ts'
import { type LinkOrder, NEWEST_FIRST } from './link-order.ts'
import { idsOfPage } from './list-page.ts'
import type { Slice } from './sorted-links.ts'

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

/** A page of the caller's links, and how many there are in all. */
export async function listLinks(
  deps: ListLinksDeps,
  caller: Caller,
  page: LinkPage,
): Promise<{ links: Link[]; total: number }> {
  const list = await openLinkList(deps, caller, page)
  return { links: await linksOfPage(deps, caller, { list, page }), total: await countListed(list) }
}

/** The same without a wait for the total, which is null unless it is kept. */
export async function listLinksFirst(
  deps: ListLinksDeps,
  caller: Caller,
  page: LinkPage,
): Promise<{ links: Link[]; total: number | null }> {
  const list = await openLinkList(deps, caller, page)
  return { links: await linksOfPage(deps, caller, { list, page }), total: keptCount(list) ?? null }
}

/** By age, the link whose code is searched for comes first. */
async function linksOfPage(
  deps: ListLinksDeps,
  caller: Caller,
  { list, page: request }: { list: LinkList; page: LinkPage },
): Promise<Link[]> {
  const { page, perPage, search, order = NEWEST_FIRST } = request
  const slice = { limit: perPage, offset: (page - 1) * perPage, order }
  const isNewestFirst = order.sort === 'created_at' && order.direction === 'desc'
  const exact = isNewestFirst ? await exactMatch(deps, caller, { list, search }) : undefined
  const ids = exact === undefined ? idsOfPage(list, slice) : idsBehind(exact, list, slice)
  return linksInOrder(deps.db, await ids)
}

/** The link comes first, and the others are as if it were not there. */
async function idsBehind(exact: number, list: LinkList, { limit, offset, order }: Slice): Promise<number[]> {
  const others = { ...list, leftOut: exact }
  if (offset > 0) return idsOfPage(others, { limit, offset: offset - 1, order })
  return [exact, ...(await idsOfPage(others, { limit: limit - 1, offset, order }))]
}

export async function linksInOrder(db: ReadOnlyDb, ids: readonly number[]): Promise<Link[]> {
  if (ids.length === 0) return []
  const rows = await selectLinks(db).where('links.id', 'in', ids).execute()
  const links = new Map(rows.map((row) => [row.id, toLink(row)]))
  return ids.flatMap((id) => links.get(id) ?? [])
}
