import { LINK_STATUSES } from '../link-status.ts'
import { listedCount } from './archived-links.ts'
import { labelCounts } from '../labels/count-labels.ts'
import { countLabeled, fewestLinks, isSortable, type LabelGroup } from './labeled-links.ts'
import {
  allOf,
  type FilterMoment,
  filterConditions,
  type LinkFilters,
  narrowedTo,
  ownedBy,
} from './link-filters.ts'

/**
 * How many links match the filters: the one place that decides how they are counted. The counts that are kept answer for all
 * links and for archived ones. Most links are active, so the others are counted, each status by an index of its own.
 */
export async function countListed(moment: FilterMoment, filters: LinkFilters): Promise<number> {
  const { archived, statuses, labels, ...others } = filters
  const isPlain = [statuses, ...Object.values(others)].every((each) => each === undefined)
  if (isPlain && labels === undefined) return listedCount(archived, moment.counts)
  const [group, ...more] = moment.labelGroups
  // A link may have several labels of a group, so that their counts do not add up.
  if (isPlain && more.length === 0 && group?.ids.length === 1)
    return listedCount(archived, { ...moment.counts, ...group })
  if (isPlain && more.length === 0 && group?.ids.length === 2) return countEither(moment, filters, group)
  if (statuses?.includes('active')) {
    const others = LINK_STATUSES.filter((status) => !statuses.includes(status))
    const inOthers = others.map((status) => ({ ...filters, statuses: [status] }))
    return countBut(moment, { ...filters, statuses: undefined }, inOthers)
  }
  return countWhere(moment, filters)
}

/** The links of `all`, less those that are also in one of `others`, which have none in common. */
async function countBut(
  moment: FilterMoment,
  all: LinkFilters,
  others: readonly LinkFilters[],
): Promise<number> {
  let count = await countListed(moment, all)
  for (const other of others) count -= await countListed(moment, other)
  return count
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
  const { db, workspaceId, labelGroups, counts } = moment
  const group = fewestLinks(labelGroups, counts.links)
  // Of a status there are few links, by an index of its own.
  if (group !== undefined && (isSortable(group) || filters.statuses === undefined))
    return countLabeled(db, narrowedTo(group, filters, moment))
  const where = allOf(filterConditions(filters, moment))
  const { found } = await db
    .selectFrom('links')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where(ownedBy(workspaceId, filters))
    // Says nothing, but without it SQLite takes any index of the workspace, and not the one that a filter allows.
    .where('links.created_at', '>', 0)
    .$if(where !== undefined, (query) => query.where(where!))
    .executeTakeFirstOrThrow()
  return found
}
