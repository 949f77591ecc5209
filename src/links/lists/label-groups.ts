import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { inEach } from '../../store/engine-sql.ts'
import type { AnyDb } from '../../store/handles.ts'
import { labelCounts } from '../labels/count-labels.ts'
import { selectLabels } from '../labels/find-labels.ts'
import { foldText, foldedName, type LabelName } from '../labels/label.ts'
import type { Condition } from './link-list.ts'
import { type Direction, type LinkOrder, orderBy } from './link-order.ts'
import type { LinkFilters } from './list-parameters.ts'

/** A link must have one of them. A name that the workspace does not have stands for no label. */
export type LabelGroup = {
  ids: readonly number[]
  /** How many links have one; those with several count for each. */
  links: number
  archived: number
}

/** This many links are sorted in hundredths of a second. */
const FEW_LINKS = 10_000
/** So many are read in the order of a page, and checked, in some hundredths of a second. */
const READ_LINKS_MAX = 20_000
/** As far as this, the links of each label are read by age and merged. */
const NEAR_PAGES = 2_000

/** A link in the list is in all of the groups. */
export async function labelGroups(
  db: AnyDb,
  { workspaceId }: Caller,
  { tag: tags = [], tag_mode: tagMode, folder: folders = [] }: LinkFilters,
): Promise<LabelGroup[]> {
  const tagNames = tags.map((name): LabelName => ({ kind: 'tag', name }))
  const named = [
    ...(tagMode === 'all' ? tagNames.map((name) => [name]) : [tagNames]),
    folders.map((name): LabelName => ({ kind: 'folder', name })),
  ].filter(({ length }) => length > 0)
  if (named.length === 0) return []
  const labels = await selectLabels(db)
    .where('account_id', '=', workspaceId)
    .where('folded_name', 'in', [...new Set(named.flat().map(({ name }) => foldText(name)))])
    .execute()
  const idOf = new Map(labels.map((label) => [foldedName(label as LabelName), label.id]))
  const counts = await labelCounts(db, [...idOf.values()])
  return named.map((names) => {
    const ids = [...new Set(names.flatMap((name) => idOf.get(foldedName(name)) ?? []))]
    const sum = (of: 'links' | 'archived') =>
      ids.reduce((total, id) => total + (counts.get(id)?.[of] ?? 0), 0)
    return { ids, links: sum('links'), archived: sum('archived') }
  })
}

/** On `links`, or on `link_labels`. */
export const groupCondition = ({ ids }: LabelGroup, linkId = sql.ref('links.id')): Condition =>
  ids.length === 0
    ? sql<boolean>`1 = 0`
    : sql<boolean>`EXISTS (SELECT 1 FROM link_labels AS other
        WHERE other.link_id = ${linkId} AND other.label_id IN (${sql.join(ids)}))`

const inAll = (groups: readonly LabelGroup[]): Condition[] =>
  groups.map((group) => groupCondition(group, sql.ref('link_labels.link_id')))

/** The group to begin with, if it has fewer links than are found without. The others are conditions. */
export function fewestLinks(groups: readonly LabelGroup[], ownLinks: number): LabelGroup | undefined {
  const [smallest] = groups.toSorted((a, b) => a.links - b.links)
  return smallest !== undefined && smallest.links <= ownLinks / 2 ? smallest : undefined
}

/** Its links are found and sorted one by one. A group of many is soon met in the index of all links by age. */
export const isSortable = (group: LabelGroup): boolean => group.links <= FEW_LINKS

/**
 * How many of all links are worth reading in the order of a page, to find those of the group that are on it: sixteen times as
 * many as if they were spread evenly. Undefined if sorting the group costs less.
 */
export function worthReading(
  group: LabelGroup,
  { limit, offset }: Pick<Slice, 'limit' | 'offset'>,
  ownLinks: number,
): number | undefined {
  const links = Math.ceil((16 * (offset + limit) * ownLinks) / group.links)
  return links < Math.min(group.links, READ_LINKS_MAX) ? links : undefined
}

/** The links of a group that are in the others too. `where`: what else must hold, of `links`. */
export type Narrowed = { group: LabelGroup; others: readonly LabelGroup[]; where: Condition | undefined }

const idsIn = ({ ids }: LabelGroup): readonly number[] => (ids.length === 0 ? [0] : ids)

/** A query for IDs: each link once, however many of the labels it has, and those in the trash. */
export const labeledWith = (group: LabelGroup) =>
  sql`SELECT ${group.ids.length > 1 ? sql`DISTINCT ` : sql``}link_labels.link_id FROM link_labels
    WHERE link_labels.label_id IN (${sql.join(idsIn(group))})`

/** `labeled`: a query for IDs of links. */
const linksOf = (db: AnyDb, labeled: RawBuilder<unknown>, where: Condition | undefined) =>
  db
    .selectFrom(sql<{ link_id: number }>`(${labeled})`.as('labeled'))
    .innerJoin('links', 'links.id', 'labeled.link_id')
    .$if(where !== undefined, (query) => query.where(where!))

/** Looks at the links of the group one by one. */
const fewOf = ({ group, others }: Narrowed) =>
  sql`${sql.join([labeledWith(group), ...inAll(others)], sql` AND `)}`

type Slice = { direction: Direction; limit: number; offset: number }

/** Whether labelIdsByAge is the way to a page. */
export const isNear = ({ limit, offset }: Slice): boolean => offset + limit <= NEAR_PAGES

/** Along the links of each label, which stand there by age: as many are read as the page needs, wherever they are among all. */
export async function labeledIdsByAge(
  db: AnyDb,
  { group, others, where }: Narrowed,
  { direction, limit, offset }: Slice,
): Promise<number[]> {
  const way = sql.raw(direction)
  const conditions = [...inAll(others), ...(where === undefined ? [] : [where])]
  const parts = idsIn(group).map(
    (id) => sql`SELECT * FROM (
      SELECT link_labels.created_at, link_labels.link_id
      FROM link_labels JOIN links ON links.id = link_labels.link_id
      WHERE ${sql.join([sql`link_labels.label_id = ${id}`, ...conditions], sql` AND `)}
      ORDER BY link_labels.created_at ${way}, link_labels.link_id ${way} LIMIT ${offset + limit}
    ) AS part`,
  )
  const { rows } = await sql<{ link_id: number }>`
    SELECT link_id FROM (${sql.join(parts, sql` UNION `)}) AS labeled
    ORDER BY created_at ${way}, link_id ${way} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows.map(({ link_id: id }) => Number(id))
}

export async function labeledIds(
  db: AnyDb,
  narrowed: Narrowed,
  { order, limit, offset }: { order: LinkOrder; limit: number; offset: number },
): Promise<number[]> {
  const rows = await linksOf(db, fewOf(narrowed), narrowed.where)
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select('links.id')
    .orderBy(orderBy(order))
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

/** For a group of few links. */
export const countFew = (db: AnyDb, narrowed: Narrowed): Promise<number> =>
  countOf(linksOf(db, fewOf(narrowed), narrowed.where))

/** Those that are in all of the sets, which are queries for IDs: for sets of many links each, of which few are in all. */
export const countMany = (
  db: AnyDb,
  { sets, where }: { sets: readonly RawBuilder<unknown>[]; where: Condition | undefined },
): Promise<number> => countOf(linksOf(db, inEach(db, sets), where))

async function countOf(links: ReturnType<typeof linksOf>): Promise<number> {
  const { found } = await links.select((eb) => eb.fn.countAll<number>().as('found')).executeTakeFirstOrThrow()
  return Number(found)
}
