import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { blockedHostsIn } from '../../store/blocked-links.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AnyDb, ReadOnlyDb } from '../../store/handles.ts'
import { hasText } from '../../store/link-search.ts'
import { NO_DOMAIN } from '../domains/domain-hosts.ts'
import type { Domains } from '../domains/domains.ts'
import { type LinkCounts, linkCounts } from './count-links.ts'
import { hasLabelOf, type LabelGroup, labelGroups } from './label-groups.ts'
import { LIST_PARAMETERS, type LinkFilters } from './list-parameters.ts'
import { type SearchTerms, searchTermsOf } from './search-terms.ts'

export type Condition = RawBuilder<boolean>

/** A list of links as it is requested, and what its conditions depend on, read once for its page and its total. */
export type LinkList = {
  db: AnyDb
  workspaceId: number
  nowUs: number
  counts: LinkCounts
  filters: LinkFilters
  /** Undefined without a search. */
  terms: SearchTerms | undefined
  /** The hosts of the workspace's destinations that the operator has blocked. */
  blockedHosts: readonly string[]
  labelGroups: readonly LabelGroup[]
  /** Those that the filter by domain names. */
  domainIds: readonly number[]
  /** The ID of a link that is listed elsewhere. */
  leftOut?: number
}

export type ListLinksDeps = { db: ReadOnlyDb; clock: Clock; domains: Domains }

/** Reads only what the filters need. `search`: '' for none. */
export async function openLinkList(
  { db, clock, domains }: ListLinksDeps,
  caller: Caller,
  { search, filters }: { search: string; filters: LinkFilters },
): Promise<LinkList> {
  const { workspaceId } = caller
  const dependsOnBlocks = filters.status !== undefined || filters.needs_attention
  return {
    db,
    workspaceId,
    nowUs: clock.nowUs(),
    counts: await linkCounts(db, workspaceId),
    filters,
    terms: search === '' ? undefined : searchTermsOf(search, domains),
    blockedHosts: dependsOnBlocks ? await blockedHostsIn(db, workspaceId) : [],
    labelGroups: await labelGroups(db, caller, filters),
    domainIds: (filters.domain ?? []).flatMap((host) => {
      const ids = domains.idsFor(workspaceId, host)
      return ids.length === 0 ? [NO_DOMAIN] : ids
    }),
  }
}

/** Where IDs are given, the plus keeps SQLite from reading all links of the workspace by age instead. */
export const ownedBy = ({
  workspaceId,
  filters: { id: ids, needs_attention: isUrgent },
}: LinkList): Condition =>
  ids === undefined && !isUrgent
    ? sql<boolean>`links.workspace_id = ${workspaceId}`
    : sql<boolean>`+links.workspace_id = ${workspaceId}`

/** What must hold of `links` of the workspace. `start`: the labels that a query starts with, so that they need no check. */
export const conditionsOf = (list: LinkList, start?: LabelGroup): Condition[] => [
  ...filterConditions(list, start),
  ...(list.terms === undefined ? [] : [hasText(list.db, list.terms)]),
]

/** All of that but the search. */
export function filterConditions(list: LinkList, start?: LabelGroup): Condition[] {
  const values: Record<string, unknown> = list.filters
  const conditions = Object.entries<AnyParameter>(LIST_PARAMETERS).flatMap(([name, { where }]) =>
    where === undefined || values[name] === undefined ? [] : where(values[name] as never, list),
  )
  return [
    ...conditions,
    ...list.labelGroups.filter((group) => group !== start).map(hasLabelOf),
    ...(list.leftOut === undefined ? [] : [sql<boolean>`links.id <> ${list.leftOut}`]),
  ]
}

type AnyParameter = { where?: (value: never, list: LinkList) => readonly Condition[] }

export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(conditions, sql` AND `)})`

export async function idsOf(db: AnyDb, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${query}`.execute(db)
  return rows.map(({ id }) => Number(id))
}

export async function countOf(db: AnyDb, ids: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found FROM (${ids}) AS ids`.execute(db)
  return Number(rows[0]!.found)
}
