import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { type ChangeOptions, useChange } from '../use-change.ts'
import { SESSION } from '../use-session.ts'
import type { ListQuery } from './managed-list.tsx'

const ADMIN = ['admin']
/** What actions change: the operator's own account may be among it. */
export const OPERATOR = [ADMIN, SESSION]

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

/** An action of the operator. Afterwards the page is reloaded and a toast shows `said`. */
export const useOperatorAction = <Answer, Input = void>(
  action: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Answer, Input>,
) => useChange(action, { ...options, rereads: OPERATOR })
