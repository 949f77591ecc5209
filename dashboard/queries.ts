import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  api,
  type Link,
  type LinkListQuery,
  type PageMeta,
  type RangeQuery,
  type Session,
} from './api-client.ts'
import { sendPendingDeletions } from './pending-deletions.ts'
import { RequestFailure } from './request.ts'

// What is asked of the server, under which name it is kept, and what a change does to what is kept.

const RETRIES_MAX = 2
const FRESH_MS = 15_000

const SESSION = ['session']
const LINKS = ['links']

export function newQueryClient(): QueryClient {
  // Whatever is refused for want of a session shows the sign-in page, from wherever it was asked.
  const onError = (error: unknown) => {
    if (error instanceof RequestFailure && error.kind === 'signed-out')
      void client.invalidateQueries({ queryKey: SESSION })
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

export const useSession = () =>
  useQuery({ queryKey: SESSION, queryFn: async () => (await api.session()).data, staleTime: Infinity })

/** After signing in or out: nothing of the one before may be shown to the next. */
export function useSessionChange(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    await client.invalidateQueries({ queryKey: SESSION })
  }
}

export const useSignOut = () => {
  const changed = useSessionChange()
  return useMutation({
    mutationFn: async () => {
      await sendPendingDeletions()
      await api.signOut()
    },
    onSuccess: changed,
  })
}

/** The signed-in person and the instance; only for pages that are shown to a signed-in person. */
export function useSignedIn(): { user: NonNullable<Session['user']>; instance: Session['instance'] } {
  const { data } = useSession()
  if (!data?.user) throw new Error('Nobody is signed in.')
  return { user: data.user, instance: data.instance }
}

type LinkPage = { data: Link[]; meta: PageMeta }

export const useLinks = (query: LinkListQuery) =>
  useQuery({
    queryKey: [...LINKS, 'list', query],
    queryFn: ({ signal }): Promise<LinkPage> => api.links(query, signal),
    placeholderData: keepPreviousData,
  })

export const useLink = (code: string) =>
  useQuery({ queryKey: [...LINKS, 'one', code], queryFn: async () => (await api.link(code)).data })

export const useLinkAnalytics = (code: string, query: RangeQuery) =>
  useQuery({
    queryKey: ['clicks', code, query],
    queryFn: () => api.linkAnalytics(code, query),
    placeholderData: keepPreviousData,
  })

export const useAnalytics = (query: RangeQuery) =>
  useQuery({
    queryKey: ['clicks', 'all', query],
    queryFn: () => api.analytics(query),
    placeholderData: keepPreviousData,
  })

export const useOverview = () =>
  useQuery({ queryKey: ['clicks', 'overview'], queryFn: async () => (await api.overview()).data })

/** Changes a link everywhere it is kept; what comes back puts it as it was. */
function patchLink(client: QueryClient, code: string, patch: Partial<Link>): () => void {
  const kept = client.getQueriesData<LinkPage | Link>({ queryKey: LINKS })
  const patched = (link: Link) => (link.short_code === code ? { ...link, ...patch } : link)
  client.setQueriesData<LinkPage | Link>({ queryKey: LINKS }, (before) =>
    before === undefined
      ? before
      : 'meta' in before
        ? { ...before, data: before.data.map(patched) }
        : patched(before),
  )
  return () => {
    for (const [key, value] of kept) client.setQueryData(key, value)
  }
}

/** Shown at once, and taken back when the server refuses. */
export function useLinkSwitch(onRefused: (error: Error) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, isActive }: { code: string; isActive: boolean }) =>
      api.editLink(code, { is_active: isActive }),
    onMutate: async ({ code, isActive }) => {
      await client.cancelQueries({ queryKey: LINKS })
      return { undo: patchLink(client, code, { is_active: isActive }) }
    },
    onError: (error, _, context) => {
      context?.undo()
      onRefused(error)
    },
    onSettled: () => client.invalidateQueries({ queryKey: LINKS }),
  })
}

export function useLinkEdit() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, ...edit }: { code: string; original_url: string; title: string | null }) =>
      api.editLink(code, edit),
    onSuccess: () => client.invalidateQueries({ queryKey: LINKS }),
  })
}

export function useLinkCreation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: api.createLink,
    onSuccess: () => client.invalidateQueries({ queryKey: [...LINKS, 'list'] }),
  })
}

export function useListsAnew(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: LINKS })
}
