import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import { ask } from '../api-client.ts'
import { requestFor } from '../link-address.ts'
import { patchLink } from '../queries.ts'
import { LINKS } from '../listed-links.ts'
import { useCan } from '../use-session.ts'
import { SETTINGS } from '../use-settings.ts'
import { useSettled } from '../use-settled.ts'
import { isSameStyle } from './plain-style.ts'
import { withSmallLogo } from './qr-pictures.ts'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

/** One request for several changes in a row, such as the way of a slider. */
const SETTLED_MS = 800

/** What has become of a style that was chosen for the link. `not kept`: the user may not change it. */
export type KeptState = 'kept' | 'saving' | 'failed' | 'not kept'

/** Keeps the style with the link, if the user may change it: a moment after each change, and when the designer closes. */
export function useKeptStyle(link: LinkView, style: QrDesign | null): KeptState {
  const canKeep = useCan('links:write')
  const saving = useSaving(link)
  const settled = useSettled(style, SETTLED_MS)
  /** What the server has, or is about to have. */
  const kept = useRef(link.qr_style)
  const latest = useRef<() => void>(undefined)
  latest.current = () => {
    if (!canKeep || isSameStyle(kept.current, style)) return
    kept.current = style
    saving.mutate(style)
  }
  useEffect(() => {
    if (settled === style) latest.current?.()
  }, [settled, style])
  useEffect(() => () => latest.current?.(), [])
  if (!canKeep) return 'not kept'
  if (saving.isError) return 'failed'
  return saving.isPending || !isSameStyle(kept.current, style) ? 'saving' : 'kept'
}

function useSaving(link: LinkView) {
  const client = useQueryClient()
  return useMutation({
    // One after the other, so that the last one stays.
    scope: { id: `qr-style ${link.id}` },
    mutationFn: async (style: QrDesign | null) => {
      const input = { qr_style: style && (await withSmallLogo(style)) }
      return ask('PUT /links/{short_code}', { ...requestFor(link), input })
    },
    onMutate: (style) => patchLink(client, link.id, { qr_style: style }),
    onError: useErrorToast(),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: LINKS })
      // Pictures that show the style are loaded again.
      void client.invalidateQueries({ queryKey: SETTINGS })
    },
  })
}
