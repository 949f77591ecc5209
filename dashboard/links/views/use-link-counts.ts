import { queryOptions, useIsFetching, useQueries } from '@tanstack/react-query'
import { COUNT_FRESH_MS, countLinks, COUNTS, LISTS } from '../../listed-links.ts'
import { filtersOf, type ListQuery } from '../list/list-query.ts'

/** Further lists are not counted. */
const COUNTED_MAX = 20

/** Counts wait for each other, so that no more than one is between somebody and the list. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work)
  last = turn.catch(() => undefined)
  return turn
}

function countOptions(list: ListQuery) {
  const query = filtersOf(list)
  return queryOptions({
    queryKey: [...COUNTS, query],
    queryFn: ({ signal }) => inTurn(() => countLinks(query, signal)),
    staleTime: COUNT_FRESH_MS,
  })
}

/** How many links each list has, one after another, after the list that is shown. Undefined while it is not known. */
export function useLinkCounts(lists: readonly ListQuery[]): (number | undefined)[] {
  const isListShown = useIsFetching({ queryKey: LISTS }) === 0
  const queries = lists.slice(0, COUNTED_MAX).map((list) => ({ ...countOptions(list), enabled: isListShown }))
  return useQueries({ queries }).map(({ data }) => data)
}
