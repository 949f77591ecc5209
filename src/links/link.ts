import { sql } from 'kysely'
import type { Db } from '../store/open-store.ts'

export type Link = {
  id: number
  svcId: string
  code: string
  /** As the client sent it. */
  originalUrl: string
  title: string
  isActive: boolean
  /** People's clicks; bots stand beside them. */
  clickCount: number
  createdAtUs: number
}

/** Where verbs that change links say so, after the commit: caches of redirects hear of it before the caller does. */
export type LinkChanges = { changed(codes: readonly string[]): void }

/** Links with their counts, to be narrowed by the caller. */
export function selectLinks(db: Db) {
  return db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select([
      'links.id',
      'links.svc_id as svcId',
      'links.code',
      'links.original_url as originalUrl',
      'links.title',
      'links.is_active',
      sql<number>`coalesce(link_totals.clicks, 0)`.as('clickCount'),
      'links.created_at as createdAtUs',
    ])
}

export function toLink({ is_active, ...row }: Omit<Link, 'isActive'> & { is_active: number }): Link {
  return { ...row, isActive: is_active === 1 }
}
