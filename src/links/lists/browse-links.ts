import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { searchedLinkIds } from '../../store/link-search.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Archived, archivedCondition, listedCount, neededArchived } from './archived-links.ts'
import { type LinkCounts, linkCounts } from './count-links.ts'
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
  const counts = await linkCounts(db, caller.workspaceId)
  const archived = neededArchived(view.archived, counts)
  const matches =
    view.search === ''
      ? undefined
      : await matchingIds({ db, ownHosts }, caller, { ...view, archived, ownLinks: counts.links })
  if (matches?.length === 0) return { links: [], total: 0 }
  const narrowed = { ...view, archived }
  const total = matches === undefined ? await countOf(db, caller, { ...narrowed, counts }) : undefined
  return {
    links: await pageOf(db, caller, { ...narrowed, matches }),
    total: total ?? (await countMatches(db, caller, { ...view, matches: matches! })),
  }
}

type Counted = { state: LinkState; archived: Archived; counts: LinkCounts }

async function countOf(
  db: ReadOnlyDb,
  { workspaceId }: Caller,
  { state, archived, counts }: Counted,
): Promise<number> {
  const listed = listedCount(archived, counts)
  if (state === 'all') return listed
  const active = archived === 'include' ? 0 : await activeArchived(db, workspaceId)
  const listedActive = { include: counts.active, only: active, exclude: counts.active - active }[archived]
  return state === 'active' ? listedActive : listed - listedActive
}

/** Archived links have an index of their own, and are few. */
async function activeArchived(db: ReadOnlyDb, workspaceId: number): Promise<number> {
  const { found } = await db
    .selectFrom('links')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('account_id', '=', workspaceId)
    .where(archivedCondition('only'))
    .where('is_active', '=', 1)
    .executeTakeFirstOrThrow()
  return found
}

function matchingIds(
  { db, ownHosts }: ListLinksDeps,
  caller: Caller,
  { search, archived, ownLinks }: { search: string; archived: Archived; ownLinks: number },
): Promise<number[]> {
  const linkSearch = linkSearchOf(caller, { terms: searchTermsOf(search, ownHosts), archived, ownLinks })
  return searchedLinkIds(db, linkSearch, { limit: MATCHES_MAX, offset: 0 })
}

async function pageOf(
  db: ReadOnlyDb,
  caller: Caller,
  { page, perPage, state, order, archived, matches }: LinkView & { matches: readonly number[] | undefined },
): Promise<Link[]> {
  const direction = order === 'oldest' || order === 'fewest-clicks' ? 'asc' : 'desc'
  const byClicks = order === 'most-clicks' || order === 'fewest-clicks'
  const slice = { limit: perPage, offset: (page - 1) * perPage }
  if (byClicks && matches === undefined) {
    const isActive = state === 'all' ? undefined : state === 'active'
    return linksByClicks(db, caller, { direction, isActive, archived, ...slice })
  }
  const rows = await selectLinks(db)
    .where('links.account_id', '=', caller.workspaceId)
    .$if(state !== 'all', (query) => query.where('links.is_active', '=', sql.lit(state === 'active' ? 1 : 0)))
    .$if(matches !== undefined, (query) => query.where('links.id', 'in', matches!))
    .$if(archived !== 'include' && matches === undefined, (query) => query.where(archivedCondition(archived)))
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
