import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  LinkEditInput,
  LinksQuery,
  LinkView,
  NewLinkInput,
  OwnLink,
} from '../../src/http/endpoints/browser-types.ts'
import { useRef } from 'react'
import { ask } from '../api/api-client.ts'
import { apiUrl, forgetEarly, newIdempotencyKey, RequestFailure } from '../api/request.ts'
import { type LinkAddress, requestFor } from './link-address.ts'
import {
  COUNT_FRESH_MS,
  countLinks,
  COUNTS,
  type LinkPage,
  LINKS,
  listLinks,
  LISTS,
  patchListed,
  readLink,
} from './listed-links.ts'
import { LABELS } from './labels/label-queries.ts'
import { noteTotals } from '../analytics/live-totals.ts'
import { type ChangeOptions, useChange } from '../api/use-change.ts'
import { endSession, followRole, leaveIfOutside } from '../use-session.ts'

// Queries and mutations of links and clicks, and which cached data each mutation changes.

const RETRIES_MAX = 2
/** Older data is shown but loaded again, because API clients change links too. */
const FRESH_MS = 1_000

export const CLICKS = ['clicks']
const SWITCH = ['switch']

export function newQueryClient(): QueryClient {
  // A 401 from any request ends the session.
  const onError = (error: unknown) => {
    if (error instanceof RequestFailure && error.kind === 'signed-out') endSession(client)
    leaveIfOutside(client, error)
    followRole(client, error)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Send requests even if the browser is offline, so that a pressed button reports the failure.
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (count, error) => count < RETRIES_MAX && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}

const isWorthRetrying = (error: unknown) =>
  error instanceof RequestFailure && (error.kind === 'offline' || error.kind === 'fault')

/** An answer that came before there was a client. */
export function keepLinks(client: QueryClient, query: LinksQuery, answer: LinkPage): void {
  forgetEarly(apiUrl('/list-links', query))
  noteTotals(answer.meta.totals)
  client.setQueryData([...LISTS, query], answer)
}

export const useLinks = (query: LinksQuery) =>
  useQuery({
    queryKey: [...LISTS, query],
    queryFn: async ({ signal }): Promise<LinkPage> => {
      const answer = await listLinks(query, signal)
      noteTotals(answer.meta.totals)
      return answer
    },
    placeholderData: keepPreviousData,
  })

type PageShown = { page: LinkPage | undefined; isPrevious: boolean }

/** Counted once the links are there, unless the total came with them. `filters`: of the list, without its page. */
export function useTotal(filters: LinksQuery, { page, isPrevious }: PageShown): number | undefined {
  const totals = useQuery({
    queryKey: [...COUNTS, filters],
    queryFn: ({ signal }) => countLinks(filters, signal),
    staleTime: COUNT_FRESH_MS,
    enabled: page?.meta.total === null && !isPrevious,
  })
  return page?.meta.total ?? totals.data
}

const SINGLE = [...LINKS, 'one']

export const linkOptions = (address: LinkAddress) =>
  queryOptions({
    queryKey: [...SINGLE, address],
    queryFn: () => readLink(address),
  })

export const useLink = (address: LinkAddress) => useQuery(linkOptions(address))

/** New clicks have arrived: loads everything that shows them again. */
export function refreshClicks(client: QueryClient): void {
  for (const queryKey of [CLICKS, LINKS]) void client.invalidateQueries({ queryKey, predicate: hasClicks })
}

/** Clicks hardly change how many links a list has, and counting them each second would cost more than it tells. */
const hasClicks = (query: Query) => hasAnswer(query) && query.queryKey[1] !== COUNTS[1]

/** A failed query stays failed until the user retries. Otherwise it would seem to load forever. */
const hasAnswer = ({ state }: Query) => state.status !== 'error'

/** Changes a cached link, in lists and by itself. */
export function patchLink(client: QueryClient, id: number, patch: Partial<OwnLink>): void {
  const patched = <Kept extends OwnLink>(link: Kept) => (link.id === id ? { ...link, ...patch } : link)
  client.setQueriesData<LinkPage>(
    { queryKey: LISTS },
    (page) => page && { ...page, data: page.data.map(patched) },
  )
  client.setQueriesData<OwnLink>({ queryKey: SINGLE }, (link) => link && patched(link))
}

export type Callbacks<Value> = { onDone: (value: Value) => void; onError: (error: Error) => void }

/** `isUndo`: reverts the toggle before it. */
export type LinkToggle = { link: LinkView; isActive: boolean; isUndo?: boolean }

/** Shown at once, and reverted if the server refuses. */
export function useLinkToggle({ onDone, onError }: Callbacks<LinkToggle>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: SWITCH,
    mutationFn: ({ link, isActive }: LinkToggle) =>
      ask('PUT /links/{short_code}', { ...requestFor(link), input: { is_active: isActive } }),
    onMutate: async ({ link, isActive }) => {
      await client.cancelQueries({ queryKey: LINKS })
      patchLink(client, link.id, { is_active: isActive })
    },
    onSuccess: (_, turn) => onDone(turn),
    onError: (error, { link, isActive }) => {
      patchLink(client, link.id, { is_active: !isActive })
      onError(error)
    },
    // Not during another toggle: the list would show that link's old state.
    onSettled: () =>
      client.isMutating({ mutationKey: SWITCH }) === 1
        ? client.invalidateQueries({ queryKey: LINKS })
        : undefined,
  })
}

/** `seen_version`: a later one is not overwritten. */
export type LinkEdit = LinkEditInput & { seen_version?: number }

export const editLink = (link: LinkAddress, input: LinkEdit) =>
  ask('PUT /links/{short_code}', { ...requestFor(link), input })

/** A change of links, which are then read again. */
export function useLinkChange<Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  { onError, ...options }: ChangeOptions<Answer, Input>,
) {
  const client = useQueryClient()
  return useChange(change, {
    ...options,
    rereads: [LABELS, LINKS],
    onError: (error, ...rest) => {
      onError?.(error, ...rest)
      // Load what somebody else has changed. Nothing waits for it: a button that is busy until then would swallow presses.
      if (error instanceof RequestFailure && error.details.code === 'version_conflict')
        void client.invalidateQueries({ queryKey: LINKS })
    },
  })
}

/** A creation that is sent again, after a lost response for example, makes one link. */
export function useLinkCreation() {
  const client = useQueryClient()
  const attempt = useRef<{ body: string; key: string }>(undefined)
  const keyFor = (input: NewLinkInput) => {
    const body = JSON.stringify(input)
    if (attempt.current?.body !== body) attempt.current = { body, key: newIdempotencyKey() }
    return attempt.current.key
  }
  return useMutation({
    mutationFn: (input: NewLinkInput) => ask('POST /links', { input, idempotencyKey: keyFor(input) }),
    onSuccess: () => {
      attempt.current = undefined
      for (const queryKey of [LABELS, COUNTS]) void client.invalidateQueries({ queryKey })
      return client.invalidateQueries({ queryKey: LISTS })
    },
  })
}

/** Hidden at once, and shown again if the server refuses. */
export function useLinkDeletion({ onDone, onError }: Callbacks<LinkView>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (link: LinkView) => ask('DELETE /links/{short_code}', requestFor(link)),
    onMutate: ({ id }) => patchListed(client, (link) => (link.id === id ? undefined : link)),
    onSuccess: (_, link) => onDone(link),
    onError,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: COUNTS })
      return client.invalidateQueries({ queryKey: LISTS })
    },
  })
}

/** Nothing waits for the refreshed lists: a button that is busy until then would swallow presses. */
export function useListRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: LABELS })
    void client.invalidateQueries({ queryKey: LINKS })
  }
}
