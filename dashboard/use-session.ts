import {
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { InstanceView, MeView } from '../src/http/endpoints/browser-types.ts'
import { createContext, useCallback, useContext } from 'react'
import { ask } from './api/api-client.ts'
import { notifyTabs } from './other-tabs.ts'
import { linkedWorkspace, RequestFailure, workIn } from './api/request.ts'
import { FIRST_PAINT } from './shell/first-paint-name.ts'

export type Session = {
  /** null: not signed in. */
  user: MeView | null
  instance: InstanceView
  /** The session ended while a page was open. */
  hasEnded?: boolean
}

/** Without a session cookie the first request for the session is skipped. */
let isKnownOut = FIRST_PAINT === 'signed-out'

export const SESSION = ['session']

/** The mailed link may be opened on another device, so an unverified user's session is polled. */
const UNVERIFIED_POLL_MS = 10_000
const isWaiting = (session: Session | undefined) => session?.user?.is_verified === false

export const sessionOptions = queryOptions({
  queryKey: SESSION,
  queryFn: async ({ client }) => {
    const before = client.getQueryData<Session>(SESSION)
    const now = await readSession()
    if (before?.user && now.user && before.user.workspace.id !== now.user.workspace.id)
      client.removeQueries({ predicate: isOfOwner })
    return afterwards(before, now)
  },
  staleTime: Infinity,
})

export const useSession = () =>
  useQuery({
    ...sessionOptions,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? UNVERIFIED_POLL_MS : false),
    // The role may have changed, and an email address may have been verified.
    refetchOnWindowFocus: 'always',
  })

/** A user who did not sign out keeps the page and is asked to sign in again. */
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
    const user = (await ask('GET /session')).data
    workIn(user.workspace.id)
    return user
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    // No member any more: the server says in which workspace the user works instead.
    if (isOutside(error)) {
      workIn(undefined)
      return readUser()
    }
    if (error.kind !== 'signed-out') throw error
    workIn(linkedWorkspace())
    return null
  }
}

/** The workspace of this tab is gone, or the user is no member of it. */
const isOutside = (error: unknown): boolean =>
  error instanceof RequestFailure && error.details.code === 'workspace_not_found'

/** Goes on in another workspace after the user was removed from this one. */
export function leaveIfOutside(client: QueryClient, error: unknown): void {
  if (isOutside(error)) void client.invalidateQueries({ queryKey: SESSION })
}

/** The role has changed: reads what it allows now. */
export function followRole(client: QueryClient, error: unknown): void {
  const isRefused = error instanceof RequestFailure && error.details.code === 'role_insufficient'
  if (isRefused) void client.invalidateQueries({ queryKey: SESSION })
}

/** After signing in or out: removes all data of the previous user. */
export function useSessionChange(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: isOfOwner })
    client.setQueryData(SESSION, await readSession())
    notifyTabs('session')
  }
}

export const isOfOwner = ({ queryKey }: Query) => queryKey[0] !== SESSION[0]

/** The session has ended. The page stays, with everything that was typed, until the user signs in again. */
export const endSession = (client: QueryClient) =>
  client.setQueryData<Session>(
    SESSION,
    (session) => session && { ...session, hasEnded: session.user !== null },
  )

/** Another tab has signed in or out: removes the data of a different user. */
export function useSessionFollow(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    const before = client.getQueryData<Session>(SESSION)?.user?.id
    // What is being read may be from before the change.
    await client.cancelQueries({ queryKey: SESSION })
    const session = await readSession()
    if (session.user?.id !== before) client.removeQueries({ predicate: isOfOwner })
    client.setQueryData(SESSION, session)
    if (session.user?.id === before) await client.invalidateQueries({ predicate: isOfOwner })
  }, [client])
}

/** After signing in again in place of a session that had ended. */
export function useSessionReturn(): () => Promise<void> {
  const follow = useSessionFollow()
  return async () => {
    await follow()
    notifyTabs('session')
  }
}

export function useSignOut(onError: (error: Error) => void) {
  const onChanged = useSessionChange()
  return useMutation({ mutationFn: () => ask('DELETE /session'), onSuccess: onChanged, onError })
}

/** Whether the role in the current workspace allows it. What it does not allow is left out. */
export const useCan = (action: MeView['can'][number]): boolean => useSignedIn().user.can.includes(action)

type SignedIn = { user: MeView; instance: InstanceView }

/** Of the page that is shown: the query knows a moment earlier that nobody is signed in any more. */
export const SignedInContext = createContext<SignedIn | undefined>(undefined)

/** Only for pages that require a signed-in user. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext)
  if (signedIn === undefined) throw new Error('Nobody is signed in.')
  return signedIn
}

/** Works in another workspace from now on: without the data of the one before. */
export function useWorkspaceChange(): (workspaceId: number) => Promise<void> {
  const client = useQueryClient()
  return async (id) => {
    await ask('POST /workspaces/{id}/choose', { path: { id } })
    workIn(id)
    client.removeQueries({ predicate: isOfOwner })
    client.setQueryData(SESSION, await readSession())
  }
}
