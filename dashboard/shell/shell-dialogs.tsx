import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ReloadOffer } from '../components/lazy-part.tsx'
import { useSignedIn } from '../use-session.ts'

const HelpDialog = lazy(() => import('./help-dialog.tsx'))
const loadPalette = () => import('../palette/palette.tsx')
const Palette = lazy(loadPalette)

/** Loaded by then, so that what is typed right after ⌘K is not lost. */
const PALETTE_MS = 2_000

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
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), PALETTE_MS)
    return () => clearTimeout(timer)
  }, [])
  const help = () => setHelpOpen(true)
  const shown = (
    <>
      {palette && (
        <ReloadOffer>
          <Suspense>
            <Palette isOpen={palette === 'open'} onClose={() => setPalette('closed')} onHelp={help} />
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
