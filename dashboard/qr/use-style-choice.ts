import { useState } from 'react'
import type { QrDesign } from '../../src/qr/qr-style.ts'
import { sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/toasts.tsx'
import { qrStrings } from '../strings/qr-strings.ts'
import { useSettingsChange, useWorkspaceSettings } from '../use-settings.ts'
import { PLAIN_STYLE } from './plain-style.ts'

export type Base = 'workspace' | 'plain'

/** The style in the designer: that of the workspace or the plain one, with what has been changed. */
export function useStyleChoice() {
  const toast = useToast()
  const [base, setBase] = useState<Base>('workspace')
  const [changed, setChanged] = useState<QrDesign>()
  const settings = useWorkspaceSettings()
  const saving = useSettingsChange({
    onDone: () => {
      begin('workspace')
      toast({ text: qrStrings.saved })
    },
  })
  const begin = (from: Base) => {
    setBase(from)
    setChanged(undefined)
  }
  // Codes can be made without the settings too.
  const ownStyle = settings.isPending ? undefined : (settings.data?.qr_style ?? PLAIN_STYLE)
  const begun = base === 'plain' ? PLAIN_STYLE : ownStyle
  const style = changed ?? begun
  return {
    base,
    begin,
    /** Undefined until the settings are there. */
    style,
    isChanged: style !== undefined && begun !== undefined && !isSameStyle(style, begun),
    /** Whether saving would change anything. */
    isOwn: style !== undefined && ownStyle !== undefined && isSameStyle(style, ownStyle),
    brandColors: settings.data?.brand_colors ?? [],
    change: (part: Partial<QrDesign>) => setChanged((before) => ({ ...(before ?? begun!), ...part })),
    save: () =>
      saving.mutate(() => ({ qr_style: style }), {
        onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
      }),
    isSaving: saving.isPending,
  }
}

export type StyleChoice = ReturnType<typeof useStyleChoice>

const isSameStyle = (one: QrDesign, other: QrDesign): boolean =>
  (Object.keys(PLAIN_STYLE) as (keyof QrDesign)[]).every((field) => one[field] === other[field])
