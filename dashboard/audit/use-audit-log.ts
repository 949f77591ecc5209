import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { listLinks } from '../listed-links.ts'
import { type AuditFilters, requestOf } from './audit-query.ts'

const ENTRIES_PER_PAGE = 50

/**
 * Page after page of one moment: entries that are written while it is open come with the next visit, and push none of
 * these to another page.
 */
export const useAuditLog = (filters: AuditFilters, openedAt: string) =>
  useInfiniteQuery({
    queryKey: ['audit-log', filters, openedAt],
    queryFn: ({ pageParam, signal }) =>
      ask('GET /audit-log', {
        query: { to: openedAt, ...requestOf(filters), page: pageParam, per_page: ENTRIES_PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : undefined),
    placeholderData: keepPreviousData,
  })

/** The link of an entry as it is now, by its ID; undefined while it loads and once it is deleted. */
export const useLinkNow = (id: number): OwnLink | undefined =>
  useQuery({
    queryKey: ['links', 'of-entry', id],
    queryFn: async () => (await listLinks({ id: [id], archived: 'include', per_page: 1 })).data,
  }).data?.[0]

/** Under the key of links, so that each change of a link loads it again. */
export const useVersionBefore = (entryId: number) =>
  useQuery({
    queryKey: ['links', 'version-before', entryId],
    queryFn: async () => {
      const answer = await ask('GET /audit-log/{id}/version-before', { path: { id: entryId } })
      return answer.data.restorable
    },
  })
