import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import { blockedHostsIn } from '../../store/blocked-links.ts'
import type { AnyDb } from '../../store/handles.ts'
import type { LinkStatus } from '../link-status.ts'
import {
  groupCondition,
  type LabelFilter,
  type LabelGroup,
  labelGroups,
  type Narrowed,
} from './labeled-links.ts'
import { type Archived, archivedCondition, neededArchived } from './archived-links.ts'
import type { LinkCounts } from './count-links.ts'
import { anyStatus, needsAttention } from './status-conditions.ts'

/** As many as a bulk change has. */
export const LISTED_IDS_MAX = 100

/** What a list is narrowed to: a link is in it if all of them hold. An undefined one narrows nothing. */
export type LinkFilters = {
  archived: Archived
  /** Any of them, at most LISTED_IDS_MAX. */
  ids?: readonly number[] | undefined
  /** Any of them. */
  statuses?: readonly LinkStatus[] | undefined
  /** What that is: `needsAttention`. */
  needsAttention?: true | undefined
  externalId?: string | undefined
  labels?: LabelFilter | undefined
  /** Any of these domains. */
  domainIds?: readonly number[] | undefined
  /** Any of these users. */
  createdBy?: readonly number[] | undefined
  /** Microseconds; the end is not in it. */
  created?: { fromUs?: number | undefined; toUs?: number | undefined } | undefined
  /** Microseconds. Links that never end are not in it. */
  endsBeforeUs?: number | undefined
}

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
}

/** Only what the filters ask for is read. */
export async function filterMoment(
  db: AnyDb,
  caller: Caller,
  { filters, ...known }: { filters: LinkFilters; nowUs: number; counts: LinkCounts },
): Promise<FilterMoment> {
  const { statuses, needsAttention: isUrgent, labels } = filters
  return {
    db,
    workspaceId: caller.workspaceId,
    ...known,
    blockedHosts: statuses === undefined && !isUrgent ? [] : await blockedHostsIn(db, caller.workspaceId),
    labelGroups: labels === undefined ? [] : await labelGroups(db, caller, labels),
  }
}

/** Of the workspace. Few links by ID are looked up one by one: by the bare column, SQLite would read all links by age. */
export const ownedBy = (workspaceId: number, { ids, needsAttention: isUrgent }: LinkFilters): Condition =>
  ids === undefined && !isUrgent
    ? sql<boolean>`links.account_id = ${workspaceId}`
    : sql<boolean>`+links.account_id = ${workspaceId}`

/** The filters as conditions on `links`, for lists, searches and totals alike. */
export function filterConditions(
  {
    archived: asked,
    ids,
    statuses,
    needsAttention: isUrgent,
    externalId,
    domainIds,
    createdBy,
    created,
    endsBeforeUs,
  }: LinkFilters,
  moment: FilterMoment,
): Condition[] {
  const archived = neededArchived(asked, moment.counts)
  return [
    ...(archived === 'include' ? [] : [archivedCondition(archived)]),
    ...(ids === undefined ? [] : [sql<boolean>`links.id IN (${sql.join(ids)})`]),
    ...(statuses === undefined ? [] : [anyStatus(statuses, moment)]),
    ...(isUrgent ? [needsAttention(moment)] : []),
    ...(externalId === undefined ? [] : [externalIdCondition(externalId, moment)]),
    ...(domainIds === undefined ? [] : [domainCondition(domainIds)]),
    ...moment.labelGroups.map((group) => groupCondition(group)),
    ...(createdBy === undefined ? [] : [sql<boolean>`links.created_by IN (${sql.join(createdBy)})`]),
    ...(created?.fromUs === undefined ? [] : [sql<boolean>`links.created_at >= ${created.fromUs}`]),
    ...(created?.toUs === undefined ? [] : [sql<boolean>`links.created_at < ${created.toUs}`]),
    ...(endsBeforeUs === undefined ? [] : [sql<boolean>`links.expires_at < ${endsBeforeUs}`]),
  ]
}

/** For a query that begins with the links of the group. */
export const narrowedTo = (group: LabelGroup, filters: LinkFilters, moment: FilterMoment): Narrowed => ({
  group,
  others: moment.labelGroups.filter((each) => each !== group),
  where: allOf(filterConditions(filters, { ...moment, labelGroups: [] })),
})

/** Undefined for none. */
export const allOf = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` AND `)})`

/** By a list of ids, because SQLite would rather read all links by age than look for this one and sort it. */
const externalIdCondition = (externalId: string, { db, workspaceId }: FilterMoment): Condition =>
  sql<boolean>`links.id IN ${db
    .selectFrom('links')
    .select('id')
    .where('account_id', '=', workspaceId)
    .where('external_id', '=', externalId)}`

/** Says twice that the default domain is not wanted, so that the index of links on other domains can answer. */
const domainCondition = (ids: readonly number[]): Condition =>
  ids.includes(DEFAULT_DOMAIN)
    ? sql<boolean>`links.domain_id IN (${sql.join(ids)})`
    : sql<boolean>`links.domain_id IN (${sql.join(ids)}) AND links.domain_id > 0`

/** The external ID to look for; undefined when none is given. */
export function readExternalId(text: string | undefined): string | undefined {
  if (text !== undefined && (text.includes('\0') || !text.isWellFormed()))
    throw invalid({ external_id: ['The external id must be well-formed text.'] })
  return text
}
