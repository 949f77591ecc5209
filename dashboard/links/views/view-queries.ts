import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedViewView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api-client.ts'

export type SavedView = SavedViewView
type ViewFields = { name: string; query: string; is_shared: boolean }

const VIEWS = ['views']

/** The user's own views and those that others share. */
export const useViews = () =>
  useQuery({ queryKey: VIEWS, queryFn: async ({ signal }) => (await ask('GET /views', { signal })).data })

export function useViewCreation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (input: ViewFields) => (await ask('POST /views', { input })).data.id,
    onSuccess: () => client.invalidateQueries({ queryKey: VIEWS }),
  })
}

export function useViewChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, input }: { id: number; input: Partial<ViewFields> }) =>
      ask('PUT /views/{id}', { path: { id }, input }),
    onSuccess: () => client.invalidateQueries({ queryKey: VIEWS }),
  })
}

export function useViewDeletion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => ask('DELETE /views/{id}', { path: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: VIEWS }),
  })
}
