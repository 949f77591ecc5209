import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { searchedLinkIds } from '../../store/link-search.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { linkCounts } from './count-links.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { linksByClicks } from './links-by-clicks.ts'
import { type LinkPage, linkSearchOf, listLinks, type ListLinksDeps } from './list-links.ts'
import { searchTermsOf } from './search-terms.ts'

export const LINK_STATES = ['all', 'active', 'inactive'] as const
export const LINK_ORDERS = ['newest', 'oldest', 'most-clicks', 'fewest-clicks'] as const
type LinkState = (typeof LINK_STATES)[number]
type LinkOrder = (typeof LINK_ORDERS)[number]

export type LinkView = LinkPage & { state: LinkState; order: LinkOrder }

/** Of a search that finds more, only the newest are filtered and sorted. */
const MATCHES_MAX = 5_000

/** A page of the caller's links, filtered and sorted, and how many there are in total. */
export async function browseLinks(
  { db, ownHosts }: ListLinksDeps,
  caller: Caller,
  view: LinkView,
): Promise<{ links: Link[]; total: number }> {
  // The list of the API, which has an index for its order, and counts that are kept.
  if (view.state === 'all' && view.order === 'newest') return listLinks({ db, ownHosts }, caller, view)
  const { links: ownLinks, active } = await linkCounts(db, caller.workspaceId)
  const matches =
    view.search === '' ? undefined : await matchingIds({ db, ownHosts }, caller, { ...view, ownLinks })
  if (matches?.length === 0) return { links: [], total: 0 }
  const total = matches === undefined ? countOf(view.state, ownLinks, active) : undefined
  return {
    links: await pageOf(db, caller, { ...view, matches }),
    total: total ?? (await countMatches(db, caller, { ...view, matches: matches! })),
  }
}

const countOf = (state: LinkState, links: number, active: number): number =>
  state === 'all' ? links : state === 'active' ? active : links - active

function matchingIds(
  { db, ownHosts }: ListLinksDeps,
  caller: Caller,
  { search, ownLinks }: { search: string; ownLinks: number },
): Promise<number[]> {
  const linkSearch = linkSearchOf(caller, { terms: searchTermsOf(search, ownHosts), ownLinks })
  return searchedLinkIds(db, linkSearch, { limit: MATCHES_MAX, offset: 0 })
}

async function pageOf(
  db: ReadOnlyDb,
  caller: Caller,
  { page, perPage, state, order, matches }: LinkView & { matches: readonly number[] | undefined },
): Promise<Link[]> {
  const direction = order === 'oldest' || order === 'fewest-clicks' ? 'asc' : 'desc'
  const byClicks = order === 'most-clicks' || order === 'fewest-clicks'
  const slice = { limit: perPage, offset: (page - 1) * perPage }
  if (byClicks && matches === undefined) {
    const isActive = state === 'all' ? undefined : state === 'active'
    return linksByClicks(db, caller, { direction, isActive, ...slice })
  }
  const rows = await selectLinks(db)
    .where('links.account_id', '=', caller.workspaceId)
    .$if(state !== 'all', (query) => query.where('links.is_active', '=', sql.lit(state === 'active' ? 1 : 0)))
    .$if(matches !== undefined, (query) => query.where('links.id', 'in', matches!))
    .$if(byClicks, (query) => query.orderBy(sql`coalesce(link_totals.clicks, 0)`, direction))
    .orderBy('links.created_at', direction)
    .orderBy('links.id', direction)
    .limit(slice.limit)
    .offset(slice.offset)
    .execute()
  return rows.map(toLink)
}

async function countMatches(
  db: ReadOnlyDb,
  { workspaceId }: Caller,
  { state, matches }: { state: LinkState; matches: readonly number[] },
): Promise<number> {
  if (state === 'all') return matches.length
  const { found } = await db
    .selectFrom('links')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('account_id', '=', workspaceId)
    .where('is_active', '=', state === 'active' ? 1 : 0)
    .where('id', 'in', matches)
    .executeTakeFirstOrThrow()
  return found
}
