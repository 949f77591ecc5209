import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { DeletedLink } from '../../src/http/dashboard-api/types/link-types.ts'
import { ask } from '../api-client.ts'
import { LINKS } from '../listed-links.ts'
import { type Callbacks, useListRefresh } from '../queries.ts'

const LINKS_PER_PAGE = 25

export const useTrash = (page: number) =>
  useQuery({
    queryKey: [...LINKS, 'trash', page],
    queryFn: ({ signal }) => ask('GET /trash', { query: { page, per_page: LINKS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

/** Restores the very link, where several had its code. */
export function useTrashRestoration({ onDone, onError }: Callbacks<DeletedLink>) {
  const refreshLists = useListRefresh()
  return useMutation({
    mutationFn: ({ id }: DeletedLink) => ask('POST /trash/links/{id}/restore', { path: { id } }),
    onSuccess: (_, link) => onDone(link),
    onError,
    onSettled: refreshLists,
  })
}

/** Takes a link out of the trash: it cannot be restored any more. */
export function useFinalDeletion({ onDone, onError }: Callbacks<DeletedLink>) {
  const refreshLists = useListRefresh()
  return useMutation({
    mutationFn: ({ id }: DeletedLink) => ask('DELETE /trash/links/{id}', { path: { id } }),
    onSuccess: (_, link) => onDone(link),
    onError,
    onSettled: refreshLists,
  })
}
