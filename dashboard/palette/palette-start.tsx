import { Search } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { isCommand } from '../shell/shortcuts.ts'
import { strings } from '../strings.ts'
import { useModal } from '../components/dialogs/modal.ts'

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

type PaletteFrameProps = Omit<ComponentProps<'input'>, 'ref'> & {
  /** Before the field. */
  lead: ReactNode
  label: string
  onText: (text: string) => void
  onClose: () => void
}

/** The dialog with its text field, in which the focus stays. Loaded first, unlike what fills it. */
export function PaletteFrame({ lead, label, onText, onClose, children, ...field }: PaletteFrameProps) {
  const { parts } = useModal({ onClose, isFirm: false })
  return (
    <dialog {...parts} className="palette" aria-label={strings.nav.search}>
      <div className="palette-head">
        {lead}
        <input
          data-first
          className="palette-field"
          role="combobox"
          aria-expanded={false}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
          onChange={({ target }) => onText(target.value)}
          {...field}
        />
        <button type="button" className="palette-close" onClick={onClose}>
          <span className="only-spoken">{strings.actions.close}</span>
          <kbd aria-hidden>Esc</kbd>
        </button>
      </div>
      {children}
    </dialog>
  )
}
