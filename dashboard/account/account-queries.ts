import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api-client.ts'
import { useToast } from '../parts/toasts.tsx'

const ACCOUNT = ['account']

export const useAccount = () =>
  useQuery({ queryKey: ACCOUNT, queryFn: async () => (await api.account()).data })

export const useSessions = () =>
  useQuery({ queryKey: ['sessions'], queryFn: async () => (await api.sessions()).data })

/** A change to the account: what is shown of it is asked for again, and `saidAfter` stands at the foot of the page. */
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
        [ACCOUNT, ['sessions'], ['session']].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
  })
}
