import './palette.css'
import { PaletteDialog } from './palette-dialog.tsx'
import { OpenedDialogs, usePaletteDialogs } from './palette-dialogs.tsx'
import type { PaletteStarted } from './palette-start.tsx'

type PaletteProps = { isOpen: boolean; started: PaletteStarted; onClose: () => void; onHelp: () => void }

/** From any page to any link, page or action in one line. It stays for what its actions open. */
export default function Palette({ isOpen, started, onClose, onHelp }: PaletteProps) {
  const dialogs = usePaletteDialogs()
  return (
    <>
      {isOpen && <PaletteDialog {...{ dialogs, started, onClose, onHelp }} />}
      <OpenedDialogs dialogs={dialogs} />
    </>
  )
}
