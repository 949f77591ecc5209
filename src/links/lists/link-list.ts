import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { blockedHostsIn } from '../../store/blocked-links.ts'
import type { AnyDb } from '../../store/handles.ts'
import { NO_DOMAIN } from '../domains/domain-hosts.ts'
import type { Domains } from '../domains/domains.ts'
import type { LinkCounts } from './count-links.ts'
import { groupCondition, type LabelGroup, labelGroups, type Narrowed } from './label-groups.ts'
import { LIST_PARAMETERS, type LinkFilters } from './list-parameters.ts'

export type Condition = RawBuilder<boolean>

/** What the conditions depend on, read once for a list and its total. */
export type FilterMoment = {
  db: AnyDb
  workspaceId: number
  nowUs: number
  counts: LinkCounts
  /** The hosts of the workspace's destinations that the operator has blocked. */
  blockedHosts: readonly string[]
  labelGroups: readonly LabelGroup[]
  /** Those that the filter by domain names. */
  domainIds: readonly number[]
}

type FilterDeps = { db: AnyDb; domains: Pick<Domains, 'idsFor'> }

/** Only what the filters ask for is read. */
export async function filterMoment(
  { db, domains }: FilterDeps,
  caller: Caller,
  { filters, ...known }: { filters: LinkFilters; nowUs: number; counts: LinkCounts },
): Promise<FilterMoment> {
  const { workspaceId } = caller
  const dependsOnBlocks = filters.status !== undefined || filters.needs_attention
  return {
    db,
    workspaceId,
    ...known,
    blockedHosts: dependsOnBlocks ? await blockedHostsIn(db, workspaceId) : [],
    labelGroups: await labelGroups(db, caller, filters),
    domainIds: (filters.domain ?? []).flatMap((host) => {
      const ids = domains.idsFor(workspaceId, host)
      return ids.length === 0 ? [NO_DOMAIN] : ids
    }),
  }
}

/** Of the workspace. Few links by ID are looked up one by one: by the bare column, SQLite would read all links by age. */
export const ownedBy = (workspaceId: number, { id, needs_attention: isUrgent }: LinkFilters): Condition =>
  id === undefined && !isUrgent
    ? sql<boolean>`links.account_id = ${workspaceId}`
    : sql<boolean>`+links.account_id = ${workspaceId}`

/** The filters as conditions on `links`, for lists, searches and totals alike. */
export function filterConditions(filters: LinkFilters, moment: FilterMoment): Condition[] {
  const values: Record<string, unknown> = filters
  const conditions = Object.entries<AnyParameter>(LIST_PARAMETERS).flatMap(([name, { where }]) =>
    where === undefined || values[name] === undefined ? [] : where(values[name] as never, moment),
  )
  return [...conditions, ...moment.labelGroups.map((group) => groupCondition(group))]
}

type AnyParameter = { where?: (value: never, moment: FilterMoment) => readonly Condition[] }

/** For a query that begins with the links of the group. */
export const narrowedTo = (group: LabelGroup, filters: LinkFilters, moment: FilterMoment): Narrowed => ({
  group,
  others: moment.labelGroups.filter((each) => each !== group),
  where: allOf(filterConditions(filters, { ...moment, labelGroups: [] })),
})

/** Undefined for none. */
export const allOf = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` AND `)})`
