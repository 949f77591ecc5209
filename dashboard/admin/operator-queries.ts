import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { useToast } from '../components/toasts.tsx'
import { sentenceOf } from '../components/states.tsx'
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

/** An action of the operator. Afterwards the page is reloaded and a toast shows `saidAfter`. */
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
      // The operator's own account may have changed.
      await Promise.all([ADMIN, SESSION].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** For actions without a form: a toast shows the error. */
export function useRefusalToast(): (error: Error) => void {
  const toast = useToast()
  return (error) => toast({ tone: 'bad', text: sentenceOf(error) })
}
