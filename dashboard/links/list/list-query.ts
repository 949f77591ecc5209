import type { LinksQuery } from '../../../src/http/endpoints/browser-types.ts'
import { nowMs } from '../../now.ts'

type Sort = NonNullable<LinksQuery['sort']>
type Column = 'labels' | 'clicks' | 'created' | 'last_click' | 'domain'

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

/** A filter of the list, which the page's URL has under the name of its parameter. */
type Filter<Value> = {
  parameter: string
  /** Nothing is filtered. */
  none: Value
  /** From the URL. Unknown values are ignored. */
  read(texts: string[]): Value
  /** What the server is asked, if it is not the parameter as it is. */
  request?(value: Value): LinksQuery
}

const filter = <Value>(definition: Filter<Value>) => definition

/** In the order in which the URL has them. */
const FILTERS = {
  search: filter<string>({
    parameter: 'search',
    none: '',
    read: ([text = '']) => text.slice(0, SEARCH_CHARS_MAX),
  }),
  statuses: filter<readonly (typeof STATUSES)[number][]>({
    parameter: 'status',
    none: [],
    read: (texts) => STATUSES.filter((status) => texts.includes(status)),
  }),
  tags: filter<readonly string[]>({ parameter: 'tag', none: [], read: names }),
  folders: filter<readonly string[]>({ parameter: 'folder', none: [], read: names }),
  /** Hosts. */
  domains: filter<readonly string[]>({ parameter: 'domain', none: [], read: names }),
  /** IDs of users. */
  creators: filter<readonly number[]>({ parameter: 'created_by', none: [], read: ids }),
  /** IDs of imports. */
  imports: filter<readonly number[]>({ parameter: 'import_id', none: [], read: ids }),
  /** Whether a link must have any of the tags, or all of them. */
  tagMode: filter<'any' | 'all'>({
    parameter: 'tag_mode',
    none: 'any',
    read: ([text]) => (text === 'all' ? 'all' : 'any'),
  }),
  /** Days of the browser's time zone, both included: `2026-11-23`, or empty. */
  createdFrom: filter<string>({
    parameter: 'created_from',
    none: '',
    read: ([text]) => day(text),
    request: (date) => ({ created_from: midnight(date, 0) }),
  }),
  createdTo: filter<string>({
    parameter: 'created_to',
    none: '',
    read: ([text]) => day(text),
    request: (date) => ({ created_to: midnight(date, 1) }),
  }),
  /** Links that end within this number of days; 0: all. */
  endsInDays: filter<number>({
    parameter: 'ends_in_days',
    none: 0,
    read: ([text = '']) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0),
    request: (days) => ({ expires_before: nextHour(days) }),
  }),
  /** Only links that are blocked, are on a domain that does not work, end soon, or have nearly used up their limit. */
  needsAttention: filter<boolean>({
    parameter: 'needs_attention',
    none: false,
    read: ([text]) => text === 'true',
    request: () => ({ needs_attention: 'true' }),
  }),
  archived: filter<(typeof ARCHIVED)[number]>({
    parameter: 'archived',
    none: 'exclude',
    read: ([text]) => ARCHIVED.find((each) => each === text) ?? 'exclude',
  }),
}

type FilterName = keyof typeof FILTERS
type FilterValues = { [Name in FilterName]: (typeof FILTERS)[Name]['none'] }

const EACH_FILTER = Object.entries(FILTERS) as [FilterName, Filter<unknown>][]

const valuesOfFilters = (valueOf: (filter: Filter<unknown>) => unknown) =>
  Object.fromEntries(EACH_FILTER.map(([name, each]) => [name, valueOf(each)])) as FilterValues

/** Nothing is filtered. */
export const NO_FILTERS = valuesOfFilters(({ none }) => none)

/** The filters that leave links out. Without tags, it makes no difference how they are combined. */
const setFilters = (query: ListQuery) =>
  EACH_FILTER.filter(([name, { none }]) => String(query[name]) !== String(none))
    .filter(([name]) => name !== 'tagMode' || query.tags.length > 0)
    .map(([name, each]) => ({ ...each, value: query[name] }))

/** What the list shows: all of it is in the URL. */
export type ListQuery = FilterValues & {
  page: number
  perPage: number
  sort: Sort
  order: 'asc' | 'desc'
  /** The saved view that is open, by ID; empty for all links. */
  view: string
  columns: readonly Column[]
}

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
export const isFiltered = (query: ListQuery): boolean => setFilters(query).length > 0

/** From the page's URL. Unknown values are ignored. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const sort = choice(parameters, 'sort', SORTS) ?? PLAIN.sort
  return {
    ...valuesOfFilters(({ parameter, read }) => read(parameters.getAll(parameter))),
    page: wholeNumber(parameters.get('page')) ?? 1,
    perPage: PAGE_SIZES.find((size) => String(size) === parameters.get('per_page')) ?? PLAIN.perPage,
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
  const { sort, order, columns, perPage } = query
  const parameters = new URLSearchParams()
  for (const { parameter, value } of setFilters(query))
    for (const each of [value].flat()) parameters.append(parameter, String(each))
  if (sort !== PLAIN.sort) parameters.set('sort', sort)
  if (order !== usualOrder(sort)) parameters.set('order', order)
  if (String(columns) !== String(PLAIN.columns)) parameters.set('columns', columns.join(','))
  if (perPage !== PLAIN.perPage) parameters.set('per_page', String(perPage))
  return parameters
}

/** For the server. What is not set is left out, so that equal lists have equal keys in the cache. */
export const linksQuery = (query: ListQuery): LinksQuery => ({
  page: query.page,
  per_page: query.perPage,
  ...filtersOf(query),
  sort: query.sort,
  order: query.order,
})

/** Which links the list has, whatever page of them is shown. */
export const filtersOf = (query: ListQuery): LinksQuery =>
  Object.assign(
    {},
    ...setFilters(query).map(({ parameter, value, request }) => request?.(value) ?? { [parameter]: value }),
  )

/** Titles ascend, all else descends. */
const usualOrder = (sort: Sort): ListQuery['order'] => (sort === 'title' ? 'asc' : 'desc')

const wholeNumber = (text: string | null) =>
  text !== null && /^[1-9]\d{0,6}$/.test(text) && Number(text) <= PAGE_MAX ? Number(text) : undefined

const choice = <Value extends string>(parameters: URLSearchParams, name: string, values: readonly Value[]) =>
  values.find((value) => value === parameters.get(name))

const isId = (text: string) => /^[1-9]\d{0,14}$/.test(text)

function ids(texts: readonly string[]): number[] {
  return names(texts).filter(isId).map(Number)
}

function names(texts: readonly string[]): string[] {
  return [...new Set(texts)]
    .filter((value) => value !== '' && value.length <= VALUE_LENGTH_MAX && !value.includes('\0'))
    .slice(0, VALUES_MAX)
}

function readColumns(text: string | null): readonly Column[] {
  if (text === null) return PLAIN.columns
  const values = text.split(',')
  return COLUMNS.filter((column) => values.includes(column))
}

/** Empty unless the calendar has that day. */
export function day(text = ''): string {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return ''
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : ''
}

const HOUR_MS = 3_600_000

/** A whole hour, so that the list is not another one with every look. */
const nextHour = (daysLater: number) =>
  new Date((Math.floor(nowMs() / HOUR_MS) + 1 + daysLater * 24) * HOUR_MS).toISOString()

/** The beginning of a day here, or of one later. */
export function midnight(text: string, daysLater: number): string {
  const [year, month, date] = text.split('-').map(Number)
  return new Date(year!, month! - 1, date! + daysLater).toISOString()
}
