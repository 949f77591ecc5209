import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { blockedHostsIn } from '../../store/blocked-links.ts'
import type { AnyDb } from '../../store/handles.ts'
import type { LinkStatus } from '../link-status.ts'
import { type LinkCounts, listedCount } from './count-links.ts'
import { labeledWith, smallestGroup } from './label-groups.ts'
import { allOf, conditionsOf, countOf, type LinkList, ownedBy } from './link-list.ts'
import { isIndexSearch, matchesOf } from './list-page.ts'

/** How many links a list has. */
export const countListed = async (list: LinkList): Promise<number> =>
  keptCount(list) ?? (isIndexSearch(list) ? countOf(list.db, matchesOf(list)) : countMatches(list))

/** Counts are kept of all links, of archived ones and of each label. Undefined for a list with another condition. */
export function keptCount({ filters, terms, labelGroups, counts }: LinkList): number | undefined {
  const { archived, tag: _tag, tag_mode: _mode, folder: _folder, ...others } = filters
  if (terms !== undefined || Object.values(others).some((each) => each !== undefined)) return undefined
  const [group, ...more] = labelGroups
  if (group === undefined) return listedCount(archived, counts)
  // A link may have several labels of a group, so that their counts do not add up.
  const isOneLabel = more.length === 0 && group.ids.length === 1
  return isOneLabel ? listedCount(archived, { ...counts, ...group }) : undefined
}

function countMatches(list: LinkList): Promise<number> {
  const start = smallestGroup(list.labelGroups)
  // The time says nothing, but without it SQLite takes any index of the workspace, and not the one that a filter allows.
  const all =
    start === undefined
      ? sql<boolean>`${ownedBy(list)} AND links.created_at > 0`
      : sql<boolean>`links.id IN (${labeledWith(start)})`
  return countOf(list.db, sql`SELECT links.id FROM links WHERE ${allOf([all, ...conditionsOf(list, start)])}`)
}

/** No index has the host of a destination. Reading that of a million links takes a second or two, of this many 35 ms. */
const HOSTS_READ_MAX = 20_000
const ENDED = ['scheduled', 'expired', 'limit_reached'] as const

/** How many links lead visitors to their destination now, archived ones included. In a large workspace, blocked links count as active. */
export async function countActive(
  { db, nowUs }: { db: AnyDb; nowUs: number },
  { workspaceId }: Caller,
  counts: LinkCounts,
): Promise<number> {
  const all = { db, workspaceId, nowUs, counts, terms: undefined, labelGroups: [], domainIds: [] }
  const count = (status: LinkStatus, blockedHosts: readonly string[]) =>
    countListed({ ...all, blockedHosts, filters: { archived: 'include', status: [status] } })
  if (counts.links <= HOSTS_READ_MAX) return count('active', await blockedHostsIn(db, workspaceId))
  let active = counts.active
  for (const status of ENDED) active -= await count(status, [])
  return active
}
