import { listStrings } from '../../strings/list-strings.ts'
import type { ListQuery } from '../list-query.ts'

type SortName = keyof typeof listStrings.sorts
type Sorting = Pick<ListQuery, 'sort' | 'order'>

const SORTINGS: Record<SortName, Sorting> = {
  newest: { sort: 'created_at', order: 'desc' },
  oldest: { sort: 'created_at', order: 'asc' },
  'most-clicks': { sort: 'clicks', order: 'desc' },
  'fewest-clicks': { sort: 'clicks', order: 'asc' },
  'last-click': { sort: 'last_clicked_at', order: 'desc' },
  title: { sort: 'title', order: 'asc' },
  'title-down': { sort: 'title', order: 'desc' },
  'first-click': { sort: 'last_clicked_at', order: 'asc' },
}
const NAMES = Object.keys(SORTINGS) as SortName[]
/** The heads of the table reach these as well. */
const OFFERED = NAMES.slice(0, 6)

export const sortName = ({ sort, order }: Sorting): SortName =>
  NAMES.find((name) => SORTINGS[name].sort === sort && SORTINGS[name].order === order)!

/** What can be chosen, with what is chosen now. */
export const offeredSorts = (now: SortName) =>
  (OFFERED.includes(now) ? OFFERED : [...OFFERED, now]).map((value) => ({
    value,
    label: listStrings.sorts[value],
  }))

export const sortingOf = (name: string): Sorting => SORTINGS[name as SortName]
