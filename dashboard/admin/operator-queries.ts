import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { useToast } from '../parts/toasts.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { SESSION } from '../use-session.ts'

const ADMIN = ['admin']

export const useManagedAccounts = (query: { page: number; search: string }) =>
  useQuery({
    queryKey: [...ADMIN, 'accounts', query],
    queryFn: ({ signal }) => ask('GET /admin/accounts', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const useBlockedHosts = () =>
  useQuery({
    queryKey: [...ADMIN, 'hosts'],
    queryFn: async () => (await ask('GET /admin/blocked-hosts')).data,
  })

export const useInvitations = () =>
  useQuery({
    queryKey: [...ADMIN, 'invitations'],
    queryFn: async () => (await ask('GET /admin/invitations')).data,
  })

/** One act of the operator. What is shown is loaded again, and `saidAfter` stands at the foot of the page. */
export function useOrder<Input, Answer>(
  order: (input: Input) => Promise<Answer>,
  saidAfter: (input: Input, answer: Answer) => string | undefined,
) {
  const client = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: order,
    onSuccess: async (answer, input) => {
      const said = saidAfter(input, answer)
      if (said !== undefined) toast({ text: said })
      // Operators may have changed their own account.
      await Promise.all([ADMIN, SESSION].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** For an act that has no form: its refusal is said at the foot of the page. */
export function useRefusalToast(): (error: Error) => void {
  const toast = useToast()
  return (error) => toast({ tone: 'bad', text: sentenceOf(error) })
}
