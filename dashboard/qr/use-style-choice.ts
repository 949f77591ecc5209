import { useState } from 'react'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import { useErrorToast, useToast } from '../components/dialogs/toasts.tsx'
import { qrStrings } from './qr-strings.ts'
import { useSettingsChange, useWorkspaceSettings } from '../use-settings.ts'
import { isSameStyle, PLAIN_STYLE } from './plain-style.ts'
import { useKeptStyle } from './use-kept-style.ts'

export type Base = 'workspace' | 'plain' | 'link'

/** The style in the designer: the link's own, or that of the workspace where it has none. */
export function useStyleChoice(link: LinkView) {
  const toast = useToast()
  const onError = useErrorToast()
  const [own, setOwn] = useState(link.qr_style)
  const settings = useWorkspaceSettings()
  const saving = useSettingsChange({
    onDone: () => {
      setOwn(null)
      toast({ text: qrStrings.saved })
    },
  })
  // Codes can be made without the settings too.
  const shared = settings.isPending ? undefined : (settings.data?.qr_style ?? PLAIN_STYLE)
  const style = own ?? shared
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
    save: () => saving.mutate(() => ({ qr_style: style }), { onError }),
    isSaving: saving.isPending,
  }
}

export type StyleChoice = ReturnType<typeof useStyleChoice>
