import paletteCss from '../styles/palette.css' with { type: 'text' }
import { addLateStyle } from '../styles/late-style.ts'
import { PaletteDialog } from './palette-dialog.tsx'
import { OpenedDialogs, usePaletteDialogs } from './palette-dialogs.tsx'

addLateStyle(paletteCss)

type PaletteProps = { isOpen: boolean; onClose: () => void; onHelp: () => void }

/** From any page to any link, page or action in one line. It stays for what its actions open. */
export default function Palette({ isOpen, onClose, onHelp }: PaletteProps) {
  const dialogs = usePaletteDialogs()
  return (
    <>
      {isOpen && <PaletteDialog dialogs={dialogs} onClose={onClose} onHelp={onHelp} />}
      <OpenedDialogs dialogs={dialogs} />
    </>
  )
}
