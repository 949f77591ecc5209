import { type RawBuilder, sql } from 'kysely'
import { type Condition, allOf, conditionsOf, countOf, idsOf, type LinkList, ownedBy } from './link-list.ts'
import type { LinkOrder } from './link-order.ts'

export type Slice = { limit: number; offset: number; order: LinkOrder }

/**
 * A slice of the list, read along indexes. Links that lack what they are sorted by, clicks or a title, stand only in the index by
 * age. They are a second part, before or after the others. To sort a million links takes seconds.
 */
export async function sortedIds(list: LinkList, { limit, offset, order }: Slice): Promise<number[]> {
  const ids: number[] = []
  let skipped = offset
  for (const part of partsOf(list, order)) {
    const rows = rowsOf(part, conditionsOf(list))
    const some = sql`${rows} ${orderOf(part, order)} LIMIT ${limit - ids.length} OFFSET ${skipped}`
    ids.push(...(await idsOf(list.db, some)))
    if (ids.length === limit) break
    skipped = ids.length > 0 ? 0 : Math.max(0, skipped - (await countOf(list.db, rows)))
  }
  return ids
}

/** A query for the IDs of the workspace's first links in that order, whether or not they are in the list. */
export function firstInOrder(list: LinkList, order: LinkOrder, limit: number): RawBuilder<unknown> {
  const [part] = partsOf(list, order)
  return sql`${rowsOf(part!, [])} ${orderOf(part!, order)} LIMIT ${limit}`
}

/** `has`: what makes a link of the workspace one of this part. */
type Part = { from: string; has: Condition; keys: readonly string[] }

const rowsOf = ({ from, has }: Part, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`SELECT links.id FROM ${sql.raw(from)} WHERE ${allOf([has, ...conditions])}`

const orderOf = ({ keys }: Part, { direction }: LinkOrder): RawBuilder<unknown> =>
  sql`ORDER BY ${sql.raw(keys.map((key) => `${key} ${direction}`).join(', '))}`

// Literals, because the planners must see that the indexes of titles and of clicks will do.
const CLICKED = {
  clicks: [sql`link_totals.clicks > 0`, sql`coalesce(link_totals.clicks, 0) = 0`],
  last_clicked_at: [sql`link_totals.last_clicked_at IS NOT NULL`, sql`link_totals.last_clicked_at IS NULL`],
} as const

function partsOf(list: LinkList, { sort, direction }: LinkOrder): Part[] {
  const own = ownedBy(list)
  const byAge = { from: 'links', has: own, keys: ['links.created_at', 'links.id'] }
  if (sort === 'created_at') return [byAge]
  if (sort === 'title') {
    const byTitle = { ...byAge, keys: ['lower(links.title)', 'links.id'] }
    return [
      { ...byTitle, has: sql`${own} AND links.title <> ''` },
      { ...byAge, has: sql`${own} AND links.title = ''` },
    ]
  }
  const [isClicked, isUnclicked] = CLICKED[sort]
  const clicked = {
    from: 'link_totals JOIN links ON links.id = link_totals.link_id',
    has: sql<boolean>`link_totals.workspace_id = ${list.workspaceId} AND ${isClicked}`,
    keys: [`link_totals.${sort}`, 'link_totals.link_id'],
  }
  const unclicked = {
    ...byAge,
    from: 'links LEFT JOIN link_totals ON link_totals.link_id = links.id',
    has: sql<boolean>`${own} AND ${isUnclicked}`,
  }
  return direction === 'desc' ? [clicked, unclicked] : [unclicked, clicked]
}
