import type { SavedViewView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api/api-client.ts'
import { sentenceOf } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { type ChangeOptions, useChange } from '../../api/use-change.ts'
import { useData } from '../../api/use-data.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { queryOptions, useIsFetching, useQueries } from '@tanstack/react-query'
import { COUNT_FRESH_MS, countLinks, COUNTS, LISTS } from '../listed-links.ts'
import { filtersOf, type ListQuery } from '../list/list-query.ts'

export type SavedView = SavedViewView
type ViewFields = { name: string; query: string; is_shared: boolean }

/** The user's own views and those that others share. */
export const useViews = () => useData('GET /views')

/** A change of the views, which are then read again. */
export const useViewChange = <Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Answer, Input> = {},
) => useChange(change, { ...options, rereads: [['views']] })

export const createView = (input: ViewFields) => ask('POST /views', { input })
export const editView = ({ id }: SavedView, input: Partial<ViewFields>) =>
  ask('PUT /views/{id}', { path: { id }, input })
export const deleteView = ({ id }: SavedView) => ask('DELETE /views/{id}', { path: { id } })

/** Says why a view is as it was, where no form does. */
export function useNotSaved(): (error: unknown) => void {
  const toast = useToast()
  return (error) => toast({ tone: 'bad', text: texts.notSaved(sentenceOf(error)) })
}

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
