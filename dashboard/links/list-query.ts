import type { LinkListQuery, LinkSort, LinkStatus } from '../api-client.ts'

const STATUSES: LinkStatus[] = ['all', 'active', 'inactive']
const SORTS: LinkSort[] = ['newest', 'oldest', 'clicks']
const PAGE_MAX = 1_000_000

/** What list is meant by the page's own address; whatever is not understood is left at its default. */
export function readListQuery(parameters: URLSearchParams): LinkListQuery {
  const page = Number(parameters.get('page') ?? 1)
  return {
    page: Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1,
    search: parameters.get('search') ?? '',
    status: STATUSES.find((status) => status === parameters.get('status')) ?? 'all',
    sort: SORTS.find((sort) => sort === parameters.get('sort')) ?? 'newest',
  }
}

/** Only what is not the default, so that the plain list has the plain address. */
export function writeListQuery({ page, search, status, sort }: LinkListQuery): URLSearchParams {
  const parameters = new URLSearchParams()
  if (page > 1) parameters.set('page', String(page))
  if (search !== '') parameters.set('search', search)
  if (status !== 'all') parameters.set('status', status)
  if (sort !== 'newest') parameters.set('sort', sort)
  return parameters
}
