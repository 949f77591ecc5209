import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { useToast } from '../components/dialogs/toasts.tsx'
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

/** A change to the account. Afterwards it is loaded again and a toast shows `saidAfter`. */
export function useAccountChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  saidAfter?: string,
) {
  const client = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      if (saidAfter !== undefined) toast({ text: saidAfter })
      await Promise.all(
        [SESSION, SESSIONS, PASSKEYS, IDENTITIES].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
  })
}
