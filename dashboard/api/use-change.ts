import { type QueryKey, useMutation, type UseMutationOptions, useQueryClient } from '@tanstack/react-query'
import { type Toast, useToast } from '../components/dialogs/toasts.tsx'

type Said = string | Toast | undefined

export type ChangeOptions<Answer, Input> = Pick<
  UseMutationOptions<Answer, Error, Input>,
  'onSuccess' | 'onError' | 'onSettled'
> & {
  /** Says that it is done. */
  said?: Said | ((answer: Answer, input: Input) => Said)
  /** Of what is read again afterwards. */
  rereads?: readonly QueryKey[]
  /** Also after a failure, where some of it may have changed all the same. Nothing waits for that. */
  rereadsAfterFailure?: boolean
}

/**
 * Changes something on the server, reads again what has changed, and says that it is done. A dialog is open until then, and keys that
 * the user presses after a message would be its own.
 */
export function useChange<Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  {
    said,
    rereads = [],
    rereadsAfterFailure,
    onSuccess,
    onError,
    ...options
  }: ChangeOptions<Answer, Input> = {},
) {
  const client = useQueryClient()
  const toast = useToast()
  const reread = () => Promise.all(rereads.map((queryKey) => client.invalidateQueries({ queryKey })))
  return useMutation({
    ...options,
    mutationFn: change,
    onSuccess: async (answer, input, ...rest) => {
      // Before what it depends on is read again.
      const news = typeof said === 'function' ? said(answer, input) : said
      await reread()
      await onSuccess?.(answer, input, ...rest)
      if (news !== undefined) toast(typeof news === 'string' ? { text: news } : news)
    },
    onError: (...failure) => {
      if (rereadsAfterFailure) void reread()
      return onError?.(...failure)
    },
  })
}
