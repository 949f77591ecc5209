import { Search, X } from 'lucide-react'
import { useId } from 'react'
import { InitialBadge } from '../components/badge.tsx'
import { hostOf, withoutScheme } from '../format.ts'
import { paletteStrings as texts } from './palette-strings.ts'
import { strings } from '../strings.ts'
import { PaletteFoot } from './palette-foot.tsx'
import { PaletteFrame } from './palette-frame.tsx'
import { PaletteList } from './palette-list.tsx'
import { usePalette } from './use-palette.ts'
import type { PaletteStarted } from './palette-start.tsx'
import type { PaletteTools } from './use-palette-content.ts'

type PaletteDialogProps = PaletteTools & { started: PaletteStarted; onClose: () => void }

/** The focus stays in the text field. */
export function PaletteDialog(props: PaletteDialogProps) {
  const palette = usePalette(props)
  const id = useId()
  const { groups, note, link, active, text } = palette
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <PaletteFrame
      lead={
        link ? (
          <LinkChip
            url={withoutScheme(link.short_url)}
            host={hostOf(link.original_url)}
            onBack={palette.back}
          />
        ) : (
          <Search size={20} aria-hidden />
        )
      }
      label={link ? texts.wanted : strings.nav.searchField}
      aria-expanded
      aria-controls={id}
      aria-activedescendant={active && `${id} ${active.id}`.replaceAll(' ', '-')}
      aria-autocomplete="list"
      value={text}
      onText={palette.setText}
      onKeyDown={palette.onKeyDown}
      onClose={props.onClose}
    >
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
    </PaletteFrame>
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
