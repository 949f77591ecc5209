import type { ComponentProps, ReactNode } from 'react'
import { useModal } from '../components/dialogs/modal.ts'
import { strings } from '../strings.ts'

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
