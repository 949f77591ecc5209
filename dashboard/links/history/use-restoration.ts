import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LinkAddress } from '../../link-address.ts'
import { ask } from '../../api-client.ts'
import { sentenceOf } from '../../components/states.tsx'
import { UNDO_MS, useToast } from '../../components/toasts.tsx'
import { strings } from '../../strings/strings.ts'
import { historyStrings as texts } from '../../strings/history-strings.ts'

/** `current`: what undo restores; undefined for undo itself. */
type Restoration = { version: number; current?: number }

export function useRestoration(link: LinkAddress) {
  const client = useQueryClient()
  const toast = useToast()
  const restoration = useMutation({
    mutationFn: ({ version }: Restoration) =>
      ask('POST /links/{short_code}/versions/{version}/restore', {
        path: { short_code: link.short_code, version },
        query: { domain: link.domain },
      }),
    onSuccess: async (_, { current }) => {
      await client.invalidateQueries({ queryKey: ['links'] })
      toast({
        text: current === undefined ? texts.restoredBack : texts.restored,
        ...(current === undefined
          ? {}
          : { shownMs: UNDO_MS, onUndo: () => restoration.mutate({ version: current }) }),
      })
    },
    onError: (error) => toast({ tone: 'bad', text: strings.links.notRestored(sentenceOf(error)) }),
  })
  return restoration
}
