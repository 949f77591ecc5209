import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type Query,
} from '@tanstack/react-query'
import type {
  AnalyticsQuery,
  LinkEditInput,
  LinksQuery,
  ListedLink,
  NewLinkInput,
  OwnLink,
  PageMeta,
} from '../src/http/dashboard-api/dashboard-types.ts'
import { ask } from './api-client.ts'
import { noteTotals } from './live-totals.ts'
import { RequestFailure } from './request.ts'
import { endSession } from './use-session.ts'

// Queries and mutations of links and clicks, and which cached data each mutation changes.

const RETRIES_MAX = 2
/** Older data is shown but loaded again, because API clients change links too. */
const FRESH_MS = 1_000
const LINKS_PER_PAGE = 25
/** Countries, referrers and the like: the server's maximum. */
const VALUES_MAX = 100
const TOP_LINKS = 8

const LINKS = ['links']
const LISTS = [...LINKS, 'list']
const CLICKS = ['clicks']
const SWITCH = ['switch']

export function newQueryClient(): QueryClient {
  // A 401 from any request ends the session.
  const onError = (error: unknown) => {
    if (error instanceof RequestFailure && error.kind === 'signed-out') endSession(client)
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

type LinkPage = { data: ListedLink[]; meta: PageMeta }

export const useLinks = (query: LinksQuery) =>
  useQuery({
    queryKey: [...LISTS, query],
    queryFn: async ({ signal }): Promise<LinkPage> => {
      const answer = await ask('GET /links', { query: { ...query, per_page: LINKS_PER_PAGE }, signal })
      noteTotals(answer.meta.totals)
      return answer
    },
    placeholderData: keepPreviousData,
  })

export const useTrash = (page: number) =>
  useQuery({
    queryKey: [...LINKS, 'trash', page],
    queryFn: ({ signal }) => ask('GET /trash', { query: { page, per_page: LINKS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

export const useLink = (code: string) =>
  useQuery({
    queryKey: [...LINKS, 'one', code],
    queryFn: async () => (await ask('GET /links/{short_code}', { path: { short_code: code } })).data,
  })

export const useAnalytics = (query: AnalyticsQuery) =>
  useQuery({
    queryKey: [...CLICKS, 'analytics', query],
    queryFn: async ({ signal }) => {
      const answer = await ask('GET /figures', { query: { ...query, limit: VALUES_MAX }, signal })
      noteTotals(answer.meta.totals)
      return answer
    },
    placeholderData: keepPreviousData,
  })

export const useTopLinks = (query: AnalyticsQuery) =>
  useQuery({
    queryKey: [...CLICKS, 'top-links', query],
    queryFn: async ({ signal }) =>
      (await ask('GET /top-links', { query: { ...query, limit: TOP_LINKS }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const useOverview = () =>
  useQuery({ queryKey: [...CLICKS, 'overview'], queryFn: async () => (await ask('GET /overview')).data })

/** New clicks have arrived: loads everything that shows them again. */
export function refreshClicks(client: QueryClient): void {
  for (const queryKey of [CLICKS, LINKS]) void client.invalidateQueries({ queryKey, predicate: hasAnswer })
}

/** A failed query stays failed until the user retries. Otherwise it would seem to load forever. */
const hasAnswer = ({ state }: Query) => state.status !== 'error'

/** Changes a cached link, in lists and by itself. */
function patchLink(client: QueryClient, code: string, patch: Partial<OwnLink>): void {
  const patched = <Kept extends OwnLink>(link: Kept) =>
    link.short_code === code ? { ...link, ...patch } : link
  client.setQueriesData<LinkPage>(
    { queryKey: LISTS },
    (page) => page && { ...page, data: page.data.map(patched) },
  )
  client.setQueryData<OwnLink>([...LINKS, 'one', code], (link) => link && patched(link))
}

type Callbacks<Value> = { onDone: (value: Value) => void; onError: (error: Error) => void }

/** `isUndo`: reverts the toggle before it. */
export type LinkToggle = { code: string; isActive: boolean; isUndo?: boolean }

/** Shown at once, and reverted if the server refuses. */
export function useLinkToggle({ onDone, onError }: Callbacks<LinkToggle>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: SWITCH,
    mutationFn: ({ code, isActive }: LinkToggle) =>
      ask('PUT /links/{short_code}', { path: { short_code: code }, input: { is_active: isActive } }),
    onMutate: async ({ code, isActive }) => {
      await client.cancelQueries({ queryKey: LINKS })
      patchLink(client, code, { is_active: isActive })
    },
    onSuccess: (_, turn) => onDone(turn),
    onError: (error, { code, isActive }) => {
      patchLink(client, code, { is_active: !isActive })
      onError(error)
    },
    // Not during another toggle: the list would show that link's old state.
    onSettled: () =>
      client.isMutating({ mutationKey: SWITCH }) === 1
        ? client.invalidateQueries({ queryKey: LINKS })
        : undefined,
  })
}

export function useLinkEdit() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, input }: { code: string; input: LinkEditInput }) =>
      ask('PUT /links/{short_code}', { path: { short_code: code }, input }),
    onSuccess: () => client.invalidateQueries({ queryKey: LINKS }),
  })
}

export function useLinkCreation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: NewLinkInput) => ask('POST /links', { input }),
    onSuccess: () => client.invalidateQueries({ queryKey: LISTS }),
  })
}

/** Hidden at once, and shown again if the server refuses. */
export function useLinkDeletion({ onDone, onError }: Callbacks<string>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => ask('DELETE /links/{short_code}', { path: { short_code: code } }),
    onMutate: async (code) => {
      await client.cancelQueries({ queryKey: LISTS })
      client.setQueriesData<LinkPage>(
        { queryKey: LISTS },
        (page) => page && { ...page, data: page.data.filter(({ short_code: each }) => each !== code) },
      )
    },
    onSuccess: (_, code) => onDone(code),
    onError,
    onSettled: () => client.invalidateQueries({ queryKey: LISTS }),
  })
}

export function useLinkRestoration({ onDone, onError }: Callbacks<string>) {
  const refreshLists = useListRefresh()
  return useMutation({
    mutationFn: (code: string) => ask('POST /links/{short_code}/restore', { path: { short_code: code } }),
    onSuccess: (_, code) => onDone(code),
    onError,
    onSettled: refreshLists,
  })
}

/** Takes a link out of the trash: it cannot be restored any more. */
export function useFinalDeletion({ onDone, onError }: Callbacks<string>) {
  const refreshLists = useListRefresh()
  return useMutation({
    mutationFn: (code: string) => ask('DELETE /trash/{short_code}', { path: { short_code: code } }),
    onSuccess: (_, code) => onDone(code),
    onError,
    onSettled: refreshLists,
  })
}

export function useListRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: LINKS })
}
