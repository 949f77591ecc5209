import type { LinksQuery } from '../../src/http/dashboard-api/dashboard-types.ts'

/** Archived links are listed only when they are asked for, so for the user they are one more choice. */
export type ListQuery = Required<Omit<LinksQuery, 'per_page' | 'archived' | 'state'>> & {
  state: 'all' | 'active' | 'inactive' | 'archived'
}

export const STATES: ListQuery['state'][] = ['all', 'active', 'inactive', 'archived']
export const ORDERS: ListQuery['order'][] = ['newest', 'oldest', 'most-clicks', 'fewest-clicks']
const PAGE_MAX = 1_000_000
const SEARCH_CHARS_MAX = 255

/** From the page's URL. Unknown values are ignored. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const page = Number(parameters.get('page') ?? 1)
  return {
    page: Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1,
    search: (parameters.get('search') ?? '').slice(0, SEARCH_CHARS_MAX),
    state: STATES.find((state) => state === parameters.get('state')) ?? 'all',
    order: ORDERS.find((order) => order === parameters.get('order')) ?? 'newest',
  }
}

/** Omits defaults, so that the unfiltered list has a plain URL. */
export function writeListQuery({ page, search, state, order }: ListQuery): URLSearchParams {
  const parameters = new URLSearchParams()
  if (page > 1) parameters.set('page', String(page))
  if (search !== '') parameters.set('search', search)
  if (state !== 'all') parameters.set('state', state)
  if (order !== 'newest') parameters.set('order', order)
  return parameters
}

/** For the server. */
export const linksQuery = ({ state, ...query }: ListQuery): LinksQuery =>
  state === 'archived' ? { ...query, state: 'all', archived: 'only' } : { ...query, state }
