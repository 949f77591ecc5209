import { Undo2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { useCan } from '../../use-session.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeletedLink } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api/api-client.ts'
import { LINKS } from '../listed-links.ts'
import { errorsOf, sentenceOf } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { useListRefresh } from '../link-queries.ts'
import { strings } from '../../strings.ts'

const keptFor = (days: number) => (days === 0 ? 'a minute' : days === 1 ? '1 day' : `${days} days`)

/** The English texts of the trash. */
export const trashStrings = {
  title: 'Trash',
  lead: 'Deleted links do not redirect. They keep their clicks, and their codes stay yours.',
  pages: 'Pages of deleted links',
  deleted: 'Deleted',
  left: 'Left',
  daysLeft: (days: number) => (days === 0 ? 'Less than a minute' : days === 1 ? '1 day' : `${days} days`),
  isInTrash: (code: string) => `${code} is in the trash.`,
  restore: 'Restore',
  restoreOf: (code: string) => `Restore ${code}`,
  delete: 'Delete for good',
  deleteOf: (code: string) => `Delete ${code} for good`,
  deleteTitle: (code: string) => `Delete ${code} for good?`,
  deleteText: 'You can’t restore it afterward. Its code stays yours, and its clicks stay counted.',
  deletedForGood: (code: string) => `${code} deleted for good`,
  emptyTitle: 'The trash is empty',
  empty: (days: number) =>
    `Deleted links are kept here for ${keptFor(days)}, and can be restored until then.`,
}

/** Says that a code is that of a deleted link, and offers to restore it. */
export function InTrash({ code, link }: { code: string; link: TrashedLink }) {
  const restoration = useTrashRestoration()
  const canRestore = useCan('links:write')
  return (
    <span className="in-trash" role="status">
      {trashStrings.isInTrash(code)}
      {canRestore && (
        <Button
          icon={Undo2}
          size="small"
          aria-label={trashStrings.restoreOf(link.short_code)}
          isBusy={restoration.isPending}
          onClick={() => restoration.mutate(link)}
        >
          {trashStrings.restore}
        </Button>
      )}
    </span>
  )
}

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
