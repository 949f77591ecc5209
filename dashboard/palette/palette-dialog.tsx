import { Search, X } from 'lucide-react'
import { useId } from 'react'
import { InitialBadge } from '../components/badge.tsx'
import { useModal } from '../components/modal.ts'
import { hostOf, withoutScheme } from '../format.ts'
import { paletteStrings as texts } from '../strings/palette-strings.ts'
import { strings } from '../strings/strings.ts'
import { PaletteFoot } from './palette-foot.tsx'
import { PaletteList } from './palette-list.tsx'
import { usePalette } from './use-palette.ts'
import type { PaletteTools } from './use-palette-content.ts'

type PaletteDialogProps = PaletteTools & { onClose: () => void }

/** The focus stays in the text field. */
export function PaletteDialog(props: PaletteDialogProps) {
  const { parts } = useModal({ onClose: props.onClose, isFirm: false })
  const palette = usePalette(props)
  const id = useId()
  const { groups, note, link, active, text } = palette
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <dialog {...parts} className="palette" aria-label={texts.title}>
      <div className="palette-head">
        {link ? (
          <LinkChip
            url={withoutScheme(link.short_url)}
            host={hostOf(link.original_url)}
            onBack={palette.back}
          />
        ) : (
          <Search size={20} aria-hidden />
        )}
        <input
          data-first
          className="palette-field"
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={active && `${id} ${active.id}`.replaceAll(' ', '-')}
          aria-autocomplete="list"
          aria-label={link ? texts.wanted : texts.field}
          placeholder={link ? texts.wanted : texts.field}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
          value={text}
          onChange={({ target }) => palette.setText(target.value)}
          onKeyDown={palette.onKeyDown}
        />
        <button type="button" className="palette-close" onClick={props.onClose}>
          <span className="only-spoken">{strings.actions.close}</span>
          <kbd aria-hidden>Esc</kbd>
        </button>
      </div>
      <p className="palette-note" role="status">
        {note || <span className="only-spoken">{texts.found(count)}</span>}
      </p>
      <PaletteList
        id={id}
        groups={groups}
        active={active}
        search={link ? '' : text}
        onReach={palette.reach}
        onRun={palette.run}
      />
      <PaletteFoot isLink={link !== undefined} />
    </dialog>
  )
}

type LinkChipProps = { url: string; host: string; onBack: () => void }

const LinkChip = ({ url, host, onBack }: LinkChipProps) => (
  <>
    <InitialBadge name={host} />
    <span className="palette-chip">
      <span className="cut">{url}</span>
      <button type="button" aria-label={texts.back} onClick={onBack}>
        <X size={14} aria-hidden />
      </button>
    </span>
  </>
)
