import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { isCommand } from '../shortcuts.ts'
import { strings } from '../strings.ts'
import { PaletteFrame } from './palette-frame.tsx'

/** What was done before the palette was loaded. */
export type PaletteStarted = {
  text: string
  /** Enter was pressed last, perhaps with ⌘ or Ctrl. */
  wanted?: { isCopy: boolean }
}

type PaletteStartProps = {
  started: PaletteStarted
  onStart: (started: PaletteStarted) => void
  onClose: () => void
  children?: ReactNode
}

/** The palette until it is loaded: it takes the keys, which would otherwise be shortcuts of the page. */
export const PaletteStart = ({ started: { text }, onStart, onClose, children }: PaletteStartProps) => (
  <PaletteFrame
    lead={<Search size={20} aria-hidden />}
    label={strings.nav.searchField}
    value={text}
    onText={(next) => onStart({ text: next })}
    onClose={onClose}
    onKeyDown={(event) => {
      if (event.nativeEvent.isComposing) return
      if (event.key === 'Enter') onStart({ text, wanted: { isCopy: isCommand(event) } })
      else if (event.key === 'k' && isCommand(event)) onClose()
      else return
      event.preventDefault()
    }}
  >
    {children}
  </PaletteFrame>
)
