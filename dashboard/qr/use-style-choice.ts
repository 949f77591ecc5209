import { useEffect, useRef, useState } from 'react'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { isSameStyle, PLAIN_STYLE, withSmallLogo } from './qr-pictures.ts'
import { qrStrings } from './qr-strings.ts'
import { SETTINGS, useSettingsChange, useWorkspaceSettings } from '../workspaces/use-settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ask } from '../api/api-client.ts'
import { requestFor } from '../links/link-address.ts'
import { patchLink } from '../links/link-queries.ts'
import { LINKS } from '../links/listed-links.ts'
import { useCan } from '../use-session.ts'
import { useSettled } from '../use-settled.ts'

export type Base = 'workspace' | 'plain' | 'link'

/** The style in the designer: the link's own, or that of the workspace where it has none. */
export function useStyleChoice(link: LinkView) {
  const [own, setOwn] = useState(link.qr_style)
  const settings = useWorkspaceSettings()
  // Codes can be made without the settings too.
  const shared = settings.isPending ? undefined : (settings.data?.qr_style ?? PLAIN_STYLE)
  const style = own ?? shared
  const saving = useSettingsChange(() => ({ qr_style: style }), {
    said: qrStrings.saved,
    onSuccess: () => setOwn(null),
    onError: useErrorToast(),
  })
  const base: Base = own === null ? 'workspace' : isSameStyle(own, PLAIN_STYLE) ? 'plain' : 'link'
  return {
    base,
    begin: (from: Base) => {
      if (from !== 'link') setOwn(from === 'plain' ? PLAIN_STYLE : null)
    },
    /** Undefined until the settings are there. */
    style,
    /** Whether the link has a style of its own, and what has become of it. */
    kept: useKeptStyle(link, own),
    isOwn: own !== null,
    /** Whether saving for the workspace would change nothing. */
    isShared: style !== undefined && shared !== undefined && isSameStyle(style, shared),
    brandColors: settings.data?.brand_colors ?? [],
    change: (part: Partial<QrDesign>) => setOwn((before) => ({ ...(before ?? shared!), ...part })),
    save: () => saving.mutate(),
    isSaving: saving.isPending,
  }
}

export type StyleChoice = ReturnType<typeof useStyleChoice>

/** One request for several changes in a row, such as the way of a slider. */
const SETTLED_MS = 800

/** What has become of a style that was chosen for the link. `not kept`: the user may not change it. */
type KeptState = 'kept' | 'saving' | 'failed' | 'not kept'

/** Keeps the style with the link, if the user may change it: a moment after each change, and when the designer closes. */
function useKeptStyle(link: LinkView, style: QrDesign | null): KeptState {
  const canKeep = useCan('links:write')
  const saving = useSaving(link)
  const drawnStyle = useSettled(style, SETTLED_MS)
  /** What the server has, or is about to have. */
  const savedStyle = useRef(link.qr_style)
  const latest = useRef<() => void>(undefined)
  latest.current = () => {
    if (!canKeep || isSameStyle(savedStyle.current, style)) return
    savedStyle.current = style
    saving.mutate(style)
  }
  useEffect(() => {
    if (drawnStyle === style) latest.current?.()
  }, [drawnStyle, style])
  useEffect(() => () => latest.current?.(), [])
  if (!canKeep) return 'not kept'
  if (saving.isError) return 'failed'
  return saving.isPending || !isSameStyle(savedStyle.current, style) ? 'saving' : 'kept'
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
