import { type SelectQueryBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { AnyDb } from '../../store/handles.ts'
import type { Condition } from './link-list.ts'
import type { LinkOrder } from './link-order.ts'

type Slice = { limit: number; offset: number }

/** `where` narrows, undefined does not. */
export type SortedView = { order: LinkOrder; where: Condition | undefined }

/**
 * A slice of the caller's links, sorted by something that some of them do not have: clicks, or a title. Those that have it
 * stand in an index by it, those without in the one by age, and each is read as far as the slice goes: to sort a million
 * links takes seconds.
 */
export async function sortedIds(db: AnyDb, caller: Caller, view: SortedView & Slice): Promise<number[]> {
  const [first, second] = partsOf(db, caller, view)
  const ids = await idsOf(first, view)
  if (ids.length < view.limit) {
    const inFirst = ids.length > 0 ? view.offset + ids.length : await countOf(db, first)
    const offset = Math.max(0, view.offset - inFirst)
    ids.push(...(await idsOf(second, { limit: view.limit - ids.length, offset })))
  }
  return ids
}

/** The slice, if it is found among the first of all links in that order, so many of them; otherwise undefined. */
export async function nearSortedIds(
  db: AnyDb,
  caller: Caller,
  { order, where, within, limit, offset }: SortedView & Slice & { within: number },
): Promise<number[] | undefined> {
  const [first] = partsOf(db, caller, { order, where: undefined })
  const near = await idsOf(first, { limit: within, offset: 0 })
  if (near.length === 0) return undefined
  // By ID alone: with the workspace, SQLite would read all its links by age.
  const rows = await db
    .selectFrom('links')
    .select('links.id')
    .where('links.id', 'in', near)
    .$if(where !== undefined, (query) => query.where(where!))
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const ids = near.filter((id) => found.has(id)).slice(offset, offset + limit)
  return ids.length === limit ? ids : undefined
}

type Part = SelectQueryBuilder<any, any, { id: number }>

function partsOf(db: AnyDb, caller: Caller, view: SortedView): [Part, Part] {
  const { sort, direction } = view.order
  if (sort === 'title') return [titledLinks(db, caller, view), untitledLinks(db, caller, view)]
  const column = sort === 'clicks' ? 'clicks' : 'last_clicked_at'
  const parts: [Part, Part] = [
    clickedLinks(db, caller, { ...view, column }),
    unclickedLinks(db, caller, { ...view, column }),
  ]
  return direction === 'desc' ? parts : [parts[1], parts[0]]
}

type ClickedView = SortedView & { column: 'clicks' | 'last_clicked_at' }

const clickedLinks = (
  db: AnyDb,
  { workspaceId }: Caller,
  { order: { direction }, where, column }: ClickedView,
): Part =>
  db
    .selectFrom('link_totals')
    .innerJoin('links', 'links.id', 'link_totals.link_id')
    .select('links.id')
    .where('link_totals.account_id', '=', workspaceId)
    .$if(column === 'clicks', (query) => query.where('link_totals.clicks', '>', 0))
    .$if(column !== 'clicks', (query) => query.where('link_totals.last_clicked_at', 'is not', null))
    .$if(where !== undefined, (query) => query.where(where!))
    .orderBy(`link_totals.${column}`, direction)
    .orderBy('link_totals.link_id', direction)

const unclickedLinks = (db: AnyDb, caller: Caller, { order, where, column }: ClickedView): Part =>
  ownLinks(db, caller, where)
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .where((eb) =>
      column === 'clicks'
        ? eb.or([eb('link_totals.clicks', 'is', null), eb('link_totals.clicks', '=', 0)])
        : eb('link_totals.last_clicked_at', 'is', null),
    )
    .orderBy('links.created_at', order.direction)
    .orderBy('links.id', order.direction)

// A literal, because the planners must see that the index of titles will do.
const titledLinks = (db: AnyDb, caller: Caller, { order: { direction }, where }: SortedView): Part =>
  ownLinks(db, caller, where)
    .where(sql<boolean>`links.title <> ''`)
    .orderBy(sql`lower(links.title)`, direction)
    .orderBy('links.id', direction)

const untitledLinks = (db: AnyDb, caller: Caller, { order: { direction }, where }: SortedView): Part =>
  ownLinks(db, caller, where)
    .where(sql<boolean>`links.title = ''`)
    .orderBy('links.created_at', direction)
    .orderBy('links.id', direction)

const ownLinks = (db: AnyDb, { workspaceId }: Caller, where: Condition | undefined) =>
  db
    .selectFrom('links')
    .select('links.id')
    .where('links.account_id', '=', workspaceId)
    .$if(where !== undefined, (query) => query.where(where!))

async function idsOf(part: Part, { limit, offset }: Slice): Promise<number[]> {
  const rows = await part.limit(limit).offset(offset).execute()
  return rows.map(({ id }) => id)
}

async function countOf(db: AnyDb, part: Part): Promise<number> {
  const { found } = await db
    .selectFrom(part.clearOrderBy().as('part'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  return found
}
