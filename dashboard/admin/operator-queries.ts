import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { type Toast, useToast } from '../components/dialogs/toasts.tsx'
import { SESSION } from '../use-session.ts'
import type { ListQuery } from './managed-list.tsx'

const ADMIN = ['admin']

export const useManagedUsers = (query: ListQuery) =>
  useQuery({
    queryKey: [...ADMIN, 'users', query],
    queryFn: ({ signal }) => ask('GET /admin/users', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const useManagedWorkspaces = (query: ListQuery) =>
  useQuery({
    queryKey: [...ADMIN, 'workspaces', query],
    queryFn: ({ signal }) => ask('GET /admin/workspaces', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const useManagedDomains = (query: ListQuery) =>
  useQuery({
    queryKey: [...ADMIN, 'domains', query],
    queryFn: ({ signal }) => ask('GET /admin/domains', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const useBlockedHosts = () =>
  useQuery({
    queryKey: [...ADMIN, 'hosts'],
    queryFn: async () => (await ask('GET /admin/blocked-hosts')).data,
  })

export const useReports = (query: { state: 'open' | 'closed'; page: number }) =>
  useQuery({
    queryKey: [...ADMIN, 'reports', query],
    queryFn: ({ signal }) => ask('GET /admin/reports', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const useInvitations = () =>
  useQuery({
    queryKey: [...ADMIN, 'invitations'],
    queryFn: async () => (await ask('GET /admin/invitations')).data,
  })

/** An action of the operator. Afterwards the page is reloaded and a toast shows `saidAfter`. */
export function useOperatorAction<Input, Answer>(
  action: (input: Input) => Promise<Answer>,
  saidAfter: (input: Input, answer: Answer) => string | Toast | undefined,
) {
  const client = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: action,
    onSuccess: async (answer, input) => {
      const said = saidAfter(input, answer)
      if (said !== undefined) toast(typeof said === 'string' ? { text: said } : said)
      // The operator's own account may have changed.
      await Promise.all([ADMIN, SESSION].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
