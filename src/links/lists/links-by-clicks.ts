import { type SelectQueryBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { type Archived, archivedCondition } from './archived-links.ts'

type Slice = { limit: number; offset: number }

/** Links by their clicks, and among as many clicks by their age; `isActive` narrows, undefined does not. */
export type ByClicks = { direction: 'asc' | 'desc'; isActive: boolean | undefined; archived: Archived }

/**
 * A slice of the caller's links, sorted by clicks. Those with clicks stand in an index by clicks, those without in the one
 * by age, and each is read as far as the slice goes: to sort a million links takes seconds.
 */
export async function linksByClicks(db: ReadOnlyDb, caller: Caller, view: ByClicks & Slice): Promise<Link[]> {
  const parts = view.direction === 'desc' ? [clickedLinks, unclickedLinks] : [unclickedLinks, clickedLinks]
  const [first, second] = parts.map((part) => part(db, caller, view)) as [Part, Part]
  const ids = await idsOf(first, view)
  if (ids.length < view.limit) {
    const inFirst = ids.length > 0 ? view.offset + ids.length : await countOf(db, first)
    const offset = Math.max(0, view.offset - inFirst)
    ids.push(...(await idsOf(second, { limit: view.limit - ids.length, offset })))
  }
  return linksInOrder(db, ids)
}

type Part = SelectQueryBuilder<any, any, { id: number }>

function clickedLinks(
  db: ReadOnlyDb,
  { workspaceId }: Caller,
  { direction, isActive, archived }: ByClicks,
): Part {
  return db
    .selectFrom('link_totals')
    .innerJoin('links', 'links.id', 'link_totals.link_id')
    .select('links.id')
    .where('link_totals.account_id', '=', workspaceId)
    .where('link_totals.clicks', '>', 0)
    .$if(isActive !== undefined, (query) => query.where('links.is_active', '=', sql.lit(isActive ? 1 : 0)))
    .$if(archived !== 'include', (query) => query.where(archivedCondition(archived)))
    .orderBy('link_totals.clicks', direction)
    .orderBy('link_totals.link_id', direction)
}

function unclickedLinks(
  db: ReadOnlyDb,
  { workspaceId }: Caller,
  { direction, isActive, archived }: ByClicks,
): Part {
  return db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select('links.id')
    .where('links.account_id', '=', workspaceId)
    .where((eb) => eb.or([eb('link_totals.clicks', 'is', null), eb('link_totals.clicks', '=', 0)]))
    .$if(isActive !== undefined, (query) => query.where('links.is_active', '=', sql.lit(isActive ? 1 : 0)))
    .$if(archived !== 'include', (query) => query.where(archivedCondition(archived)))
    .orderBy('links.created_at', direction)
    .orderBy('links.id', direction)
}

async function idsOf(part: Part, { limit, offset }: Slice): Promise<number[]> {
  const rows = await part.limit(limit).offset(offset).execute()
  return rows.map(({ id }) => id)
}

async function countOf(db: ReadOnlyDb, part: Part): Promise<number> {
  const { found } = await db
    .selectFrom(part.clearOrderBy().as('part'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  return found
}

async function linksInOrder(db: ReadOnlyDb, ids: readonly number[]): Promise<Link[]> {
  if (ids.length === 0) return []
  const rows = await selectLinks(db).where('links.id', 'in', ids).execute()
  const links = new Map(rows.map((row) => [row.id, toLink(row)]))
  return ids.flatMap((id) => links.get(id) ?? [])
}
