import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeletedLink } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api-client.ts'
import { LINKS } from '../../listed-links.ts'
import { errorsOf, sentenceOf } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { useListRefresh } from '../../queries.ts'
import { strings } from '../../strings.ts'

const LINKS_PER_PAGE = 25
/** Key of queries that ask whether a code is free. */
export const CODE_CHECKS = ['code']

export const useTrash = (page: number) =>
  useQuery({
    queryKey: [...LINKS, 'trash', page],
    queryFn: ({ signal }) => ask('GET /trash', { query: { page, per_page: LINKS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

/** What is known of a link in the trash by its code. */
export type TrashedLink = Pick<DeletedLink, 'id' | 'short_code'>

/** Restores the very link, where several had its code, and says how it went. */
export function useTrashRestoration() {
  const toast = useToast()
  const client = useQueryClient()
  const refreshLists = useListRefresh()
  return useMutation({
    mutationFn: ({ id }: TrashedLink) => ask('POST /trash/links/{id}/restore', { path: { id } }),
    onSuccess: (_, { short_code: code }) => toast({ text: strings.links.restored(code) }),
    onError: (error) => {
      const reason = errorsOf(error, 'short_code')?.join(' ') ?? sentenceOf(error)
      toast({ tone: 'bad', text: strings.links.notRestored(reason) })
    },
    onSettled: () => {
      refreshLists()
      void client.invalidateQueries({ queryKey: CODE_CHECKS })
    },
  })
}
