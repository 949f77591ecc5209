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
  FiguresQuery,
  LinksQuery,
  ListedLink,
  OwnLink,
  PageMeta,
} from '../src/http/dashboard-api/dashboard-types.ts'
import { ask } from './api-client.ts'
import { noteTotals } from './live-totals.ts'
import { RequestFailure } from './request.ts'
import { endSession } from './use-session.ts'

// What is asked of the server about links and clicks, under which name it is kept, and what a change does to it.

const RETRIES_MAX = 2
/** Programs change things too: what was read a moment before is shown, and read anew behind it. */
const FRESH_MS = 1_000
const LINKS_PER_PAGE = 25
/** Of countries, referrers and the like: as many as the server gives at once. */
const VALUES_MAX = 100
const TOP_LINKS = 8

const LINKS = ['links']
const LISTS = [...LINKS, 'list']
const CLICKS = ['clicks']
const SWITCH = ['switch']

export function newQueryClient(): QueryClient {
  // Whatever is refused for want of a session asks for a new one, from wherever it was asked.
  const onError = (error: unknown) => {
    if (error instanceof RequestFailure && error.kind === 'signed-out') endSession(client)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Asked without a network too: waiting for one in silence would say nothing to who presses a button.
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

export const useLink = (code: string) =>
  useQuery({
    queryKey: [...LINKS, 'one', code],
    queryFn: async () => (await ask('GET /links/{short_code}', { path: { short_code: code } })).data,
  })

/** Of one link, or of all together. */
export const useFigures = (query: FiguresQuery) =>
  useQuery({
    queryKey: [...CLICKS, 'figures', query],
    queryFn: async ({ signal }) => {
      const answer = await ask('GET /figures', { query: { ...query, limit: VALUES_MAX }, signal })
      noteTotals(answer.meta.totals)
      return answer
    },
    placeholderData: keepPreviousData,
  })

/** The most clicked of a time. */
export const useTopLinks = (query: FiguresQuery) =>
  useQuery({
    queryKey: [...CLICKS, 'top-links', query],
    queryFn: async ({ signal }) =>
      (await ask('GET /top-links', { query: { ...query, limit: TOP_LINKS }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const useOverview = () =>
  useQuery({ queryKey: [...CLICKS, 'overview'], queryFn: async () => (await ask('GET /overview')).data })

/** Clicks have come: whatever shows them is asked for anew. */
export function clicksAnew(client: QueryClient): void {
  for (const queryKey of [CLICKS, LINKS]) void client.invalidateQueries({ queryKey, predicate: hasAnswer })
}

/** What was refused stays so until somebody tries again: asked anew, it would look as if it were still loading. */
const hasAnswer = ({ state }: Query) => state.status !== 'error'

/** Changes what is kept of a link, in its lists and by itself. */
function patchLink(client: QueryClient, code: string, patch: Partial<OwnLink>): void {
  const patched = <Kept extends OwnLink>(link: Kept) =>
    link.short_code === code ? { ...link, ...patch } : link
  client.setQueriesData<LinkPage>(
    { queryKey: LISTS },
    (page) => page && { ...page, data: page.data.map(patched) },
  )
  client.setQueryData<OwnLink>([...LINKS, 'one', code], (link) => link && patched(link))
}

type Heard<Value> = { onDone: (value: Value) => void; onRefused: (error: Error) => void }

/** `isUndo`: what this takes back was done a moment ago. */
export type LinkTurn = { code: string; isActive: boolean; isUndo?: boolean }

/** Shown at once, and turned back when the server refuses. */
export function useLinkSwitch({ onDone, onRefused }: Heard<LinkTurn>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: SWITCH,
    mutationFn: ({ code, isActive }: LinkTurn) =>
      ask('PUT /links/{short_code}', { path: { short_code: code }, input: { is_active: isActive } }),
    onMutate: async ({ code, isActive }) => {
      await client.cancelQueries({ queryKey: LINKS })
      patchLink(client, code, { is_active: isActive })
    },
    onSuccess: (_, turn) => onDone(turn),
    onError: (error, { code, isActive }) => {
      patchLink(client, code, { is_active: !isActive })
      onRefused(error)
    },
    // Not while another switch is on its way: the list would show that one as it was.
    onSettled: () =>
      client.isMutating({ mutationKey: SWITCH }) === 1
        ? client.invalidateQueries({ queryKey: LINKS })
        : undefined,
  })
}

export function useLinkEdit() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, ...input }: { code: string; original_url: string; title: string | null }) =>
      ask('PUT /links/{short_code}', { path: { short_code: code }, input }),
    onSuccess: () => client.invalidateQueries({ queryKey: LINKS }),
  })
}

export function useLinkCreation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: { original_url: string; title?: string; custom_code?: string }) =>
      ask('POST /links', { input }),
    onSuccess: () => client.invalidateQueries({ queryKey: LISTS }),
  })
}

/** Out of sight at once, and back when the server refuses. */
export function useLinkDeletion({ onDone, onRefused }: Heard<string>) {
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
    onError: onRefused,
    onSettled: () => client.invalidateQueries({ queryKey: LISTS }),
  })
}

export function useLinkRestoration({ onDone, onRefused }: Heard<string>) {
  const listsAnew = useListsAnew()
  return useMutation({
    mutationFn: (code: string) => ask('POST /links/{short_code}/restore', { path: { short_code: code } }),
    onSuccess: (_, code) => onDone(code),
    onError: onRefused,
    onSettled: listsAnew,
  })
}

export function useListsAnew(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: LINKS })
}
