import { useQuery } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { useChange } from '../use-change.ts'
import { SESSION } from '../use-session.ts'

const SESSIONS = ['sessions']
const PASSKEYS = ['passkeys']
const IDENTITIES = ['identities']

export const useSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: async () => (await ask('GET /sessions')).data })

export const usePasskeys = () =>
  useQuery({ queryKey: PASSKEYS, queryFn: async () => (await ask('GET /passkeys')).data })

export const useIdentities = () =>
  useQuery({ queryKey: IDENTITIES, queryFn: async () => (await ask('GET /identities')).data })

/** What the account pages show. */
export const ACCOUNT = [SESSION, SESSIONS, PASSKEYS, IDENTITIES]

/** A change to the account. Afterwards it is loaded again and a toast shows `said`. */
export const useAccountChange = <Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  said?: string,
) => useChange(change, { said, rereads: ACCOUNT })
