import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { useSessionRefresh } from './workspace-change.ts'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

const MEMBERS = ['members']

export const useMembers = () =>
  useQuery({ queryKey: [...MEMBERS, 'list'], queryFn: async () => (await ask('GET /members')).data })

export const useWorkspaceInvitations = () =>
  useQuery({
    queryKey: [...MEMBERS, 'invitations'],
    queryFn: async () => (await ask('GET /members/invitations')).data,
  })

/** A change of members or invitations. The lists, and who may do what, are then read again. */
export function useMemberChange<Input, Result>(
  work: (input: Input) => Promise<Result>,
  { isForm = false } = {},
) {
  const client = useQueryClient()
  const refresh = useSessionRefresh()
  const onError = useErrorToast()
  return useMutation({
    mutationFn: work,
    // A form shows its errors itself.
    onError: (error) => (isForm ? undefined : onError(error)),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: MEMBERS })
      void refresh()
    },
  })
}
