import { type RawBuilder, sql } from 'kysely'
import { foundLinks } from '../../store/link-search.ts'
import { type LabelGroup, labeledWith, smallestGroup } from './label-groups.ts'
import { allOf, type Condition, conditionsOf, filterConditions, idsOf, type LinkList } from './link-list.ts'
import { orderBy } from './link-order.ts'
import { firstInOrder, type Slice, sortedIds } from './sorted-links.ts'

/** To look at this number of links one by one, and to sort them, takes 10 to 20 ms. */
const FEW_LINKS = 2_500
/** Of a search that finds more, only the newest are sorted by anything but their age. */
const SORTED_MATCHES_MAX = 5_000

/**
 * The IDs of a page, of which the rows are read after that. They are read along an index: of the order, of the labels or of the texts
 * that the list is narrowed to. All other conditions are checked on the way, until the page is full.
 */
export async function idsOfPage(list: LinkList, slice: Slice): Promise<number[]> {
  const isByAge = slice.order.sort === 'created_at'
  if (isIndexSearch(list)) return isByAge ? matchesByAge(list, slice) : matchesSorted(list, slice)
  const group = smallestGroup(list.labelGroups)
  if (group === undefined) return sortedIds(list, slice)
  return isByAge ? labeledByAge(list, group, slice) : labeledSorted(list, group, slice)
}

/** Whether the index of texts is quicker than reading the texts of all links that may match. */
export function isIndexSearch({ terms, counts, labelGroups }: LinkList): boolean {
  const links = smallestGroup(labelGroups)?.links ?? counts.links
  return terms !== undefined && links > FEW_LINKS
}

/** A query for the `id` of all links of an index search. */
export function matchesOf(list: LinkList): RawBuilder<unknown> {
  const matches = foundLinks(list.db, list.workspaceId, list.terms!)
  const conditions = filterConditions(list)
  if (conditions.length === 0) return matches
  return sql`SELECT id FROM (${matches}) AS found
    WHERE EXISTS (SELECT 1 FROM links WHERE links.id = found.id AND ${allOf(conditions)})`
}

const matchesByAge = (list: LinkList, { limit, offset, order }: Slice): Promise<number[]> =>
  idsOf(
    list.db,
    sql`${matchesOf(list)} ORDER BY id ${sql.raw(order.direction)} LIMIT ${limit} OFFSET ${offset}`,
  )

const matchesSorted = (list: LinkList, slice: Slice): Promise<number[]> =>
  sortedAmong(
    list,
    { ids: sql`${matchesOf(list)} ORDER BY id DESC LIMIT ${SORTED_MATCHES_MAX}`, where: [] },
    slice,
  )

/** Along each label: the links of an old campaign are far from the newest of all. */
export async function labeledByAge(
  list: LinkList,
  group: LabelGroup,
  { limit, offset, order }: Slice,
): Promise<number[]> {
  if (group.ids.length === 0) return []
  const way = sql.raw(order.direction)
  const parts = group.ids.map(
    (id) => sql`SELECT * FROM (
      SELECT link_labels.created_at, links.id FROM link_labels JOIN links ON links.id = link_labels.link_id
      WHERE ${allOf([sql`link_labels.label_id = ${id}`, ...conditionsOf(list, group)])}
      ORDER BY link_labels.created_at ${way}, link_labels.link_id ${way} LIMIT ${offset + limit}
    ) AS part`,
  )
  return idsOf(
    list.db,
    sql`SELECT id FROM (${sql.join(parts, sql` UNION `)}) AS labeled
      ORDER BY created_at ${way}, id ${way} LIMIT ${limit} OFFSET ${offset}`,
  )
}

/** Links of a large group are soon met among the first of all in that order, unless label and order have to do with each other. */
async function labeledSorted(list: LinkList, group: LabelGroup, slice: Slice): Promise<number[]> {
  if (group.links > FEW_LINKS) {
    const first = { ids: firstInOrder(list, slice.order, FEW_LINKS), where: conditionsOf(list) }
    const ids = await sortedAmong(list, first, slice)
    if (ids.length === slice.limit) return ids
  }
  return sortedAmong(list, { ids: labeledWith(group), where: conditionsOf(list, group) }, slice)
}

/** `ids`: a query for those of the only links that are looked at. `where`: what else must hold. */
type Candidates = { ids: RawBuilder<unknown>; where: readonly Condition[] }

const sortedAmong = (
  { db }: LinkList,
  { ids, where }: Candidates,
  { limit, offset, order }: Slice,
): Promise<number[]> =>
  idsOf(
    db,
    sql`SELECT links.id FROM links LEFT JOIN link_totals ON link_totals.link_id = links.id
      WHERE ${allOf([sql`links.id IN (${ids})`, ...where])}
      ORDER BY ${orderBy(order)} LIMIT ${limit} OFFSET ${offset}`,
  )
