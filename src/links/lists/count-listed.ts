import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { LINK_STATUSES } from '../link-status.ts'
import type { AnyDb } from '../../store/handles.ts'
import { labelCounts } from '../labels/count-labels.ts'
import { listedCount } from './count-links.ts'
import { countFew, countMany, fewestLinks, isSortable, labeledWith, type LabelGroup } from './label-groups.ts'
import { allOf, type FilterMoment, filterConditions, filterMoment, narrowedTo, ownedBy } from './link-list.ts'
import type { LinkFilters } from './list-parameters.ts'

/**
 * How many links match the filters: the one place that decides how they are counted. The counts that are kept answer for all
 * links and for archived ones. Most links are active, so the others are counted, each status by an index of its own.
 */
export async function countListed(moment: FilterMoment, filters: LinkFilters): Promise<number> {
  const { archived, status: statuses, tag: _tag, tag_mode: _mode, folder: _folder, ...others } = filters
  const isPlain = [statuses, ...Object.values(others)].every((each) => each === undefined)
  const [group, ...more] = moment.labelGroups
  if (isPlain && group === undefined) return listedCount(archived, moment.counts)
  // A link may have several labels of a group, so that their counts do not add up.
  if (isPlain && more.length === 0 && group?.ids.length === 1)
    return listedCount(archived, { ...moment.counts, ...group })
  if (isPlain && more.length === 0 && group?.ids.length === 2) return countEither(moment, filters, group)
  if (statuses?.includes('active')) {
    const others = LINK_STATUSES.filter((status) => !statuses.includes(status))
    const all = await countListed(moment, { ...filters, status: undefined })
    return all - (others.length === 0 ? 0 : await countListed(moment, { ...filters, status: others }))
  }
  return countWhere(moment, filters)
}

/** No index has the host of a destination. Reading that of a million links takes a second or two, of this many 35 ms. */
const HOSTS_READ_MAX = 20_000

/** Active links are counted whatever their domain. */
const ALL_DOMAINS = { idsFor: () => [] }

/** How many links lead visitors to their destination now, archived ones included. In a large workspace, blocked links count as active. */
export async function countActive(
  db: AnyDb,
  caller: Caller,
  known: Pick<FilterMoment, 'counts' | 'nowUs'>,
): Promise<number> {
  const active: LinkFilters = { archived: 'include', status: ['active'] }
  const isTooMany = known.counts.links > HOSTS_READ_MAX
  const filters = isTooMany ? { ...active, status: undefined } : active
  const moment = await filterMoment({ db, domains: ALL_DOMAINS }, caller, { filters, ...known })
  // How many are enabled is kept, but not how many of those are blocked.
  if (moment.blockedHosts.length > 0) return countListed(moment, active)
  const ended: LinkFilters = { archived: 'include', status: ['scheduled', 'expired', 'limit_reached'] }
  return known.counts.active - (await countWhere(moment, ended))
}

/** Those of each label, less those that have both. */
async function countEither(
  moment: FilterMoment,
  { archived }: LinkFilters,
  { ids }: LabelGroup,
): Promise<number> {
  const counts = await labelCounts(moment.db, ids)
  const groups = ids.map((id) => ({ ids: [id], ...(counts.get(id) ?? { links: 0, archived: 0 }) }))
  const both = await countWhere({ ...moment, labelGroups: groups }, { archived })
  return groups.reduce((sum, group) => sum + listedCount(archived, { ...moment.counts, ...group }), -both)
}

async function countWhere(moment: FilterMoment, filters: LinkFilters): Promise<number> {
  const { db, labelGroups, counts } = moment
  const group = fewestLinks(labelGroups, counts.links)
  if (group === undefined) return countIds(db, matching(filters, moment))
  if (isSortable(group)) return countFew(db, narrowedTo(group, filters, moment))
  const { status: statuses, ...others } = filters
  const unlabeled = { ...moment, labelGroups: [] }
  const found = statuses === undefined ? [] : [matching({ archived: 'include', status: statuses }, unlabeled)]
  return countMany(db, {
    sets: [...found, ...labelGroups.map(labeledWith)],
    where: allOf(filterConditions(others, unlabeled)),
  })
}

async function countIds(db: AnyDb, ids: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found FROM (${ids}) AS found`.execute(db)
  return Number(rows[0]!.found)
}

/** A query for the `link_id` of all that match. Those of each status are found by themselves, by an index of its own. */
function matching(filters: LinkFilters, moment: FilterMoment): RawBuilder<unknown> {
  const parts = filters.status?.map((status) => ({ ...filters, status: [status] })) ?? [filters]
  const queries = parts.map((part) => {
    const conditions = [ownedBy(moment.workspaceId, part), ...filterConditions(part, moment)]
    // The time says nothing, but without it SQLite takes any index of the workspace, and not the one that a filter allows.
    return sql`SELECT links.id AS link_id FROM links WHERE links.created_at > 0 AND ${sql.join(conditions, sql` AND `)}`
  })
  return sql.join(queries, sql` UNION ALL `)
}
