import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedViewView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api-client.ts'

export type SavedView = SavedViewView
type ViewFields = { name: string; query: string; is_shared: boolean }

const VIEWS = ['views']

/** The user's own views and those that others share. */
export const useViews = () =>
  useQuery({ queryKey: VIEWS, queryFn: async ({ signal }) => (await ask('GET /views', { signal })).data })

function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: VIEWS }) })
}

export const useViewCreation = () =>
  useChange(async (input: ViewFields) => (await ask('POST /views', { input })).data.id)

type Change = { id: number; input: Partial<ViewFields> }

export const useViewChange = () =>
  useChange(({ id, input }: Change) => ask('PUT /views/{id}', { path: { id }, input }))

export const useViewDeletion = () => useChange((id: number) => ask('DELETE /views/{id}', { path: { id } }))
