import type { AuditQuery, OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ask } from '../api/api-client.ts'
import { listLinks } from '../links/listed-links.ts'
import { day, midnight } from '../links/list/list-query.ts'

/** The filters of the page, as its URL has them. */
export type AuditFilters = {
  search: string
  /** `user 3` and `key 7`. */
  who: string[]
  actions: string[]
  clients: string[]
  /** Days, as `2026-11-20`; '': any. */
  from: string
  to: string
}

export const NO_FILTERS: AuditFilters = { search: '', who: [], actions: [], clients: [], from: '', to: '' }

export const readFilters = (parameters: URLSearchParams): AuditFilters => ({
  search: parameters.get('search') ?? '',
  who: parameters.getAll('who').filter((each) => /^(user|key) [1-9]\d{0,14}$/.test(each)),
  actions: parameters.getAll('action'),
  clients: parameters.getAll('client'),
  from: day(parameters.get('from') ?? ''),
  to: day(parameters.get('to') ?? ''),
})

export function writeFilters({ search, who, actions, clients, from, to }: AuditFilters): URLSearchParams {
  const parameters = new URLSearchParams()
  const add = (name: string, values: readonly string[]) => {
    for (const value of values) if (value !== '') parameters.append(name, value)
  }
  add('search', [search])
  add('who', who)
  add('action', actions)
  add('client', clients)
  add('from', [from])
  add('to', [to])
  return parameters
}

type QueryValue<Name extends keyof AuditQuery> = NonNullable<AuditQuery[Name]>

/** Days begin and end at midnight where the browser is. The server refuses actions and clients that it does not know. */
export const requestOf = ({ search, who, actions, clients, from, to }: AuditFilters): AuditQuery => ({
  ...(search === '' ? {} : { search }),
  ...ids('user', who),
  ...ids('key', who),
  ...(actions.length === 0 ? {} : { action: actions as QueryValue<'action'> }),
  ...(clients.length === 0 ? {} : { client: clients as QueryValue<'client'> }),
  ...(from === '' ? {} : { from: midnight(from, 0) }),
  ...(to === '' ? {} : { to: midnight(to, 1) }),
})

function ids(kind: 'user' | 'key', who: readonly string[]) {
  const idsOfKind = who
    .filter((each) => each.startsWith(`${kind} `))
    .map((each) => Number(each.split(' ')[1]))
  return idsOfKind.length === 0 ? {} : { [kind]: idsOfKind }
}

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
