import type { LinksQuery } from '../../src/http/dashboard-api/types/link-types.ts'
import { nowMs } from '../now.ts'

type LinkStatus = NonNullable<LinksQuery['status']>[number]
type Sort = NonNullable<LinksQuery['sort']>
type Column = 'labels' | 'clicks' | 'created' | 'last_click' | 'domain'

/** What the list shows: all of it is in the URL. */
export type ListQuery = {
  page: number
  perPage: number
  search: string
  /** Any of them. */
  statuses: readonly LinkStatus[]
  /** Names. */
  tags: readonly string[]
  /** Whether a link must have any of the tags, or all of them. */
  tagMode: 'any' | 'all'
  /** Names; any of them. */
  folders: readonly string[]
  /** Hosts; any of them. */
  domains: readonly string[]
  /** IDs of users; any of them. */
  creators: readonly number[]
  /** Days of the browser's time zone, both included: `2026-11-23`, or empty. */
  createdFrom: string
  createdTo: string
  /** Links that end within this number of days; 0: all. */
  endsInDays: number
  /** Only links that are blocked, are on a domain that does not work, end soon, or have nearly used up their limit. */
  needsAttention: boolean
  archived: 'exclude' | 'only' | 'include'
  sort: Sort
  order: 'asc' | 'desc'
  /** The saved view that is open, by ID; empty for all links. */
  view: string
  columns: readonly Column[]
}

export const STATUSES = ['active', 'scheduled', 'expired', 'limit_reached', 'disabled', 'blocked'] as const
export const COLUMNS = ['labels', 'clicks', 'created', 'last_click', 'domain'] as const
export const PAGE_SIZES = [25, 50, 100] as const
const SORTS = ['created_at', 'clicks', 'title', 'last_clicked_at'] as const
const ARCHIVED = ['exclude', 'only', 'include'] as const
const PAGE_MAX = 1_000_000
const SEARCH_CHARS_MAX = 255
/** As many as the server takes. */
const VALUES_MAX = 50
const VALUE_LENGTH_MAX = 255

/** Nothing is filtered. */
export const NO_FILTERS = {
  search: '',
  statuses: [],
  tags: [],
  tagMode: 'any',
  folders: [],
  domains: [],
  creators: [],
  createdFrom: '',
  createdTo: '',
  endsInDays: 0,
  needsAttention: false,
  archived: 'exclude',
} as const satisfies Partial<ListQuery>

/** All links, as they are shown at first. */
export const PLAIN: ListQuery = {
  page: 1,
  perPage: PAGE_SIZES[0],
  ...NO_FILTERS,
  sort: 'created_at',
  order: 'desc',
  view: '',
  columns: ['labels', 'clicks', 'created'],
}

/** Whether fewer links are listed than all that are not archived. */
export const isFiltered = (query: ListQuery): boolean =>
  query.search !== '' ||
  [query.statuses, query.tags, query.folders, query.domains, query.creators].some(
    ({ length }) => length > 0,
  ) ||
  query.createdFrom !== '' ||
  query.createdTo !== '' ||
  query.endsInDays > 0 ||
  query.needsAttention ||
  query.archived !== 'exclude'

/** From the page's URL. Unknown values are ignored. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const sort = choice(parameters, 'sort', SORTS) ?? PLAIN.sort
  return {
    page: wholeNumber(parameters.get('page')) ?? 1,
    perPage: PAGE_SIZES.find((size) => String(size) === parameters.get('per_page')) ?? PLAIN.perPage,
    search: (parameters.get('search') ?? '').slice(0, SEARCH_CHARS_MAX),
    statuses: STATUSES.filter((status) => parameters.getAll('status').includes(status)),
    tags: names(parameters, 'tag'),
    tagMode: parameters.get('tag_mode') === 'all' ? 'all' : 'any',
    folders: names(parameters, 'folder'),
    domains: names(parameters, 'domain'),
    creators: names(parameters, 'created_by').filter(isId).map(Number),
    createdFrom: day(parameters.get('created_from')),
    createdTo: day(parameters.get('created_to')),
    endsInDays: Number(/^[1-9]\d{0,2}$/.exec(parameters.get('ends_in_days') ?? '')?.[0] ?? 0),
    needsAttention: parameters.get('needs_attention') === 'true',
    archived: choice(parameters, 'archived', ARCHIVED) ?? PLAIN.archived,
    sort,
    order: choice(parameters, 'order', ['asc', 'desc']) ?? usualOrder(sort),
    view: /^\w{1,20}$/.exec(parameters.get('view') ?? '')?.[0] ?? '',
    columns: readColumns(parameters.get('columns')),
  }
}

/** Omits defaults, so that the unfiltered list has a plain URL. */
export function writeListQuery(query: ListQuery): URLSearchParams {
  const parameters = writeView(query)
  if (query.page > 1) parameters.set('page', String(query.page))
  if (query.view !== '') parameters.set('view', query.view)
  return parameters
}

/** What a saved view keeps: neither the page nor which view is open. */
export function writeView(query: ListQuery): URLSearchParams {
  const { search, tagMode, createdFrom, createdTo, archived, sort, order, columns } = query
  const pairs: [string, string][] = [
    ...(search === '' ? [] : [['search', search] as [string, string]]),
    ...query.statuses.map((status): [string, string] => ['status', status]),
    ...query.tags.map((tag): [string, string] => ['tag', tag]),
    ...query.folders.map((folder): [string, string] => ['folder', folder]),
    ...query.domains.map((host): [string, string] => ['domain', host]),
    ...query.creators.map((id): [string, string] => ['created_by', String(id)]),
  ]
  const parameters = new URLSearchParams(pairs)
  if (tagMode === 'all' && query.tags.length > 0) parameters.set('tag_mode', 'all')
  if (createdFrom !== '') parameters.set('created_from', createdFrom)
  if (createdTo !== '') parameters.set('created_to', createdTo)
  if (query.endsInDays > 0) parameters.set('ends_in_days', String(query.endsInDays))
  if (query.needsAttention) parameters.set('needs_attention', 'true')
  if (archived !== PLAIN.archived) parameters.set('archived', archived)
  if (sort !== PLAIN.sort) parameters.set('sort', sort)
  if (order !== usualOrder(sort)) parameters.set('order', order)
  if (String(columns) !== String(PLAIN.columns)) parameters.set('columns', columns.join(','))
  if (query.perPage !== PLAIN.perPage) parameters.set('per_page', String(query.perPage))
  return parameters
}

/** For the server. What is not set is left out, so that equal lists have equal keys in the cache. */
const ROW_PARTS = [
  ...(['opened', 'version', 'last_clicked_at', 'sparkline', 'created_by'] as const),
  ...(['archived', 'totals'] as const),
]

/** With all that the rows of the list show. */
export const rowsQuery = (query: LinksQuery) => ({ ...query, include: ROW_PARTS })

export const linksQuery = (query: ListQuery): LinksQuery => ({
  page: query.page,
  per_page: query.perPage,
  ...filtersOf(query),
  sort: query.sort,
  order: query.order,
})

/** Which links the list has, whatever page of them is shown. */
export const filtersOf = (query: ListQuery): LinksQuery => ({
  ...(query.search === '' ? {} : { search: query.search }),
  ...(query.statuses.length === 0 ? {} : { status: query.statuses }),
  ...(query.tags.length === 0 ? {} : { tag: query.tags, tag_mode: query.tagMode }),
  ...(query.folders.length === 0 ? {} : { folder: query.folders }),
  ...(query.domains.length === 0 ? {} : { domain: query.domains }),
  ...(query.creators.length === 0 ? {} : { created_by: query.creators }),
  ...(query.createdFrom === '' ? {} : { created_from: midnight(query.createdFrom, 0) }),
  ...(query.createdTo === '' ? {} : { created_to: midnight(query.createdTo, 1) }),
  ...(query.endsInDays === 0 ? {} : { expires_before: nextHour(query.endsInDays) }),
  ...(query.needsAttention ? { needs_attention: 'true' } : {}),
  ...(query.archived === PLAIN.archived ? {} : { archived: query.archived }),
})

/** Titles ascend, all else descends. */
const usualOrder = (sort: Sort): ListQuery['order'] => (sort === 'title' ? 'asc' : 'desc')

const wholeNumber = (text: string | null) =>
  text !== null && /^[1-9]\d{0,6}$/.test(text) && Number(text) <= PAGE_MAX ? Number(text) : undefined

const choice = <Value extends string>(parameters: URLSearchParams, name: string, values: readonly Value[]) =>
  values.find((value) => value === parameters.get(name))

const isId = (text: string) => /^[1-9]\d{0,14}$/.test(text)

const names = (parameters: URLSearchParams, name: string) =>
  [...new Set(parameters.getAll(name))]
    .filter((value) => value !== '' && value.length <= VALUE_LENGTH_MAX && !value.includes('\0'))
    .slice(0, VALUES_MAX)

function readColumns(text: string | null): readonly Column[] {
  if (text === null) return PLAIN.columns
  const wanted = text.split(',')
  return COLUMNS.filter((column) => wanted.includes(column))
}

/** Empty unless the calendar has that day. */
function day(text: string | null): string {
  if (text === null || !/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return ''
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : ''
}

const HOUR_MS = 3_600_000

/** A whole hour, so that the list is not another one with every look. */
const nextHour = (daysLater: number) =>
  new Date((Math.floor(nowMs() / HOUR_MS) + 1 + daysLater * 24) * HOUR_MS).toISOString()

/** The beginning of a day here, or of one later. */
function midnight(text: string, daysLater: number): string {
  const [year, month, date] = text.split('-').map(Number)
  return new Date(year!, month! - 1, date! + daysLater).toISOString()
}
