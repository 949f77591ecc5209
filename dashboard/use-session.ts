import { type Query, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { InstanceView, MeView } from '../src/http/dashboard-api/dashboard-types.ts'
import { useCallback } from 'react'
import { ask } from './api-client.ts'
import { tellTabs } from './other-tabs.ts'
import { RequestFailure } from './request.ts'
import type { LookName } from './shell/first-look.tsx'

/** Who is here, and where. */
export type Session = {
  /** null: nobody is signed in. */
  user: MeView | null
  instance: InstanceView
  /** The server took it for ended, while somebody was at a page. */
  hasEnded?: boolean
}

/** Which of its looks the page was served with; undefined in a page without one. */
export const LOOK = document.getElementById('root')?.dataset['look'] as LookName | undefined
/** Who came without a session cookie has no session to ask for, until something happens. */
let isKnownOut = LOOK === 'signed-out'

/** The name under which it is kept. */
export const SESSION = ['session']

/** The mailed link may be opened on another device, so somebody who waits for it is looked after. */
const UNVERIFIED_LOOK_MS = 10_000
const isWaiting = (session: Session | undefined) => session?.user?.is_verified === false

export const useSession = () =>
  useQuery({
    queryKey: SESSION,
    queryFn: async ({ client }) => afterwards(client.getQueryData<Session>(SESSION), await readSession()),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? UNVERIFIED_LOOK_MS : false),
    refetchOnWindowFocus: ({ state }) => (isWaiting(state.data) ? 'always' : false),
  })

/** Somebody who did not sign out is asked to sign in again, and keeps the page. */
const afterwards = (before: Session | undefined, now: Session): Session =>
  before?.user && now.user === null ? { ...before, hasEnded: true } : now

async function readSession(): Promise<Session> {
  const [instance, user] = await Promise.all([ask('GET /instance'), readUser()])
  return { instance: instance.data, user }
}

async function readUser(): Promise<MeView | null> {
  if (isKnownOut) {
    isKnownOut = false
    return null
  }
  try {
    return (await ask('GET /session')).data
  } catch (error) {
    if (error instanceof RequestFailure && error.kind === 'signed-out') return null
    throw error
  }
}

/** After signing in or out: nothing of the one before may be shown to the next. */
export function useSessionChange(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: isOfOwner })
    client.setQueryData(SESSION, await readSession())
    tellTabs('session')
  }
}

const isOfOwner = ({ queryKey }: Query) => queryKey[0] !== SESSION[0]

/** The session is no longer good. The page stays as it is, with what was typed, until somebody signs in again. */
export const endSession = (client: QueryClient) =>
  client.setQueryData<Session>(
    SESSION,
    (session) => session && { ...session, hasEnded: session.user !== null },
  )

/** Another tab signed in or out: what was loaded for somebody else, or for nobody, is not shown any more. */
export function useSessionFollow(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    const before = client.getQueryData<Session>(SESSION)?.user?.id
    const session = await readSession()
    if (session.user?.id !== before) client.removeQueries({ predicate: isOfOwner })
    client.setQueryData(SESSION, session)
    if (session.user?.id === before) await client.invalidateQueries({ predicate: isOfOwner })
  }, [client])
}

/** After signing in again where a session had ended: the page goes on. */
export function useSessionReturn(): () => Promise<void> {
  const follow = useSessionFollow()
  return async () => {
    await follow()
    tellTabs('session')
  }
}

export function useSignOut(onRefused: (error: Error) => void) {
  const changed = useSessionChange()
  return useMutation({ mutationFn: () => ask('DELETE /session'), onSuccess: changed, onError: onRefused })
}

/** The signed-in person and the instance; only for pages that are shown to a signed-in person. */
export function useSignedIn(): { user: MeView; instance: InstanceView } {
  const { data } = useSession()
  if (!data?.user) throw new Error('Nobody is signed in.')
  return { user: data.user, instance: data.instance }
}
