import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { InstanceView, MeView } from '../src/http/dashboard-api/dashboard-types.ts'
import { ask } from './api-client.ts'
import { RequestFailure } from './request.ts'

/** Who is here, and where. */
export type Session = {
  /** null: nobody is signed in. */
  user: MeView | null
  instance: InstanceView
}

/** The name under which it is kept. */
export const SESSION = ['session']

/** The mailed link may be opened on another device, so somebody who waits for it is looked after. */
const UNVERIFIED_LOOK_MS = 10_000
const isWaiting = (session: Session | undefined) => session?.user?.is_verified === false

export const useSession = () =>
  useQuery({
    queryKey: SESSION,
    queryFn: readSession,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? UNVERIFIED_LOOK_MS : false),
    refetchOnWindowFocus: ({ state }) => (isWaiting(state.data) ? 'always' : false),
  })

async function readSession(): Promise<Session> {
  const [instance, user] = await Promise.all([ask('GET /instance'), readUser()])
  return { instance: instance.data, user }
}

async function readUser(): Promise<MeView | null> {
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
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    await client.invalidateQueries({ queryKey: SESSION })
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
