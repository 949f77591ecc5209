import { type RawBuilder, sql } from 'kysely'

export const LINK_SORTS = ['created_at', 'clicks', 'title', 'last_clicked_at'] as const
export const DIRECTIONS = ['desc', 'asc'] as const

export type Direction = (typeof DIRECTIONS)[number]
/** Links without a title come last, in either direction. What has never been clicked comes before the first click. */
export type LinkOrder = { sort: (typeof LINK_SORTS)[number]; direction: Direction }

export const NEWEST_FIRST: LinkOrder = { sort: 'created_at', direction: 'desc' }

/** The direction that is meant when only a field is named: titles from A, all else from the most or the latest. */
export const usualDirection = (sort: LinkOrder['sort']): Direction => (sort === 'title' ? 'asc' : 'desc')

const KEYS: Record<LinkOrder['sort'], readonly RawBuilder<unknown>[]> = {
  created_at: [],
  clicks: [sql`coalesce(link_totals.clicks, 0)`],
  title: [sql`lower(links.title)`],
  last_clicked_at: [sql`coalesce(link_totals.last_clicked_at, 0)`],
}

/** For a query of `links` and their `link_totals`, if it finds few enough to sort them. */
export const orderBy = ({ sort, direction }: LinkOrder): RawBuilder<unknown> => {
  const way = sql.raw(direction)
  const keys = [...KEYS[sort], sql`links.created_at`, sql`links.id`].map((key) => sql`${key} ${way}`)
  const untitledLast = sort === 'title' ? [sql`CASE WHEN links.title = '' THEN 1 ELSE 0 END`] : []
  return sql.join([...untitledLast, ...keys])
}
