import { useQueryClient } from '@tanstack/react-query'
import { type ChangeOptions, useChange } from '../api/use-change.ts'
import { SESSION } from '../use-session.ts'

const MEMBERS = ['members']

/** A change of members or invitations. The lists, and who may do what, are then read again. */
export function useMemberChange<Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Answer, Input> = {},
) {
  const client = useQueryClient()
  return useChange(change, {
    ...options,
    onSettled: () => {
      for (const queryKey of [MEMBERS, SESSION]) void client.invalidateQueries({ queryKey })
    },
  })
}
