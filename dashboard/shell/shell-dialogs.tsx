import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { ReloadOffer } from '../components/lazy-part.tsx'
import { type PaletteStarted, PaletteStart } from '../palette/palette-start.tsx'
import { useSignedIn } from '../use-session.ts'
import { chunks, lazyFrom } from '../chunks/chunks.ts'

const HelpDialog = lazyFrom(chunks.searching, 'HelpDialog')
const Palette = lazyFrom(chunks.searching, 'Palette')

/** After what the page shows, so that it does not delay that. What is typed before is kept. */
const PALETTE_MS = 2_000

const NOTHING: PaletteStarted = { text: '' }

type ShellDialogs = {
  help: () => void
  /** Undefined until the user may use it. */
  search: (() => void) | undefined
  shown: ReactNode
}

/** What can be opened on every page. */
export function useShellDialogs(): ShellDialogs {
  const { user } = useSignedIn()
  const [isHelpOpen, setHelpOpen] = useState(false)
  // Once opened it stays, for the dialogs of the actions that it runs.
  const [palette, setPalette] = useState<'open' | 'closed'>()
  const [started, setStarted] = useState(NOTHING)
  useEffect(() => {
    const timer = setTimeout(() => void chunks.searching().catch(() => {}), PALETTE_MS)
    return () => clearTimeout(timer)
  }, [])
  const close = () => {
    setPalette('closed')
    setStarted(NOTHING)
  }
  const start = (children?: ReactNode) =>
    palette === 'open' && <PaletteStart {...{ started, children }} onStart={setStarted} onClose={close} />
  const help = () => setHelpOpen(true)
  const shown = (
    <>
      {palette && (
        <ReloadOffer around={start}>
          <Suspense fallback={start()}>
            <Palette isOpen={palette === 'open'} {...{ started }} onClose={close} onHelp={help} />
          </Suspense>
        </ReloadOffer>
      )}
      {isHelpOpen && (
        <Suspense>
          <HelpDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </>
  )
  return { help, search: user.is_verified ? () => setPalette('open') : undefined, shown }
}
