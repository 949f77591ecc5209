import { type ComponentProps, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useRouter } from 'wouter'
import { Logo } from '../components/logo.tsx'
import { FloatingRoot } from '../components/pickers/floating-root.ts'
import { useSignedIn } from '../use-session.ts'
import { IS_APPLE, useShortcuts } from './shortcuts.ts'
import { strings } from '../strings.ts'
import { FirstBottomBar, SearchButton } from './first-paint.tsx'
import { ADMIN, LINK_PLACES, MAIN_PLACES, type NavItem, placesOf, workspacePlaces } from './places.ts'
import { afterPaint, load, searching } from '../chunks/chunks.ts'
import { ReloadOffer } from '../components/lazy-part.tsx'
import { PaletteStart, type PaletteStarted } from '../palette/palette-start.tsx'
import { ChevronsUpDown } from 'lucide-react'
import { InitialBadge } from '../components/badge.tsx'
import { withoutScheme } from '../format.ts'

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
function useShellDialogs(): ShellDialogs {
  const { user } = useSignedIn()
  const [isHelpOpen, setHelpOpen] = useState(false)
  // Once opened it stays, for the dialogs of the actions that it runs.
  const [palette, setPalette] = useState<'open' | 'closed'>()
  const [started, setStarted] = useState(NOTHING)
  useEffect(() => {
    const timer = setTimeout(() => void load.searching().catch(() => {}), PALETTE_MS)
    return () => clearTimeout(timer)
  }, [])
  const close = () => {
    setPalette('closed')
    setStarted(NOTHING)
  }
  const start = (children?: ReactNode) =>
    palette === 'open' && <PaletteStart {...{ started, children }} onStart={setStarted} onClose={close} />
  const help = () => setHelpOpen(true)
  const frame = (
    <>
      {palette && (
        <ReloadOffer around={start}>
          <Suspense fallback={start()}>
            <searching.Palette isOpen={palette === 'open'} {...{ started }} onClose={close} onHelp={help} />
          </Suspense>
        </ReloadOffer>
      )}
      {isHelpOpen && (
        <Suspense>
          <searching.HelpDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </>
  )
  return { help, search: user.is_verified ? () => setPalette('open') : undefined, shown: frame }
}

const SEARCH_KEYS = IS_APPLE ? '⌘K' : 'Ctrl K'

/** A side bar from 900 px, otherwise a bottom bar. */
export function Shell({ children }: { children: ReactNode }) {
  const { user } = useSignedIn()
  const { help, search, shown } = useShellDialogs()
  // Made before it is in the page: an element that comes later would render all menus and tooltips again.
  const [floatingRoot] = useState(() => document.createElement('div'))
  const [path] = useLocation()
  const { base } = useRouter()
  useKeys({ help, search })
  // Menus and tooltips are inside the content, so that screen readers find them in a landmark.
  return (
    <FloatingRoot value={floatingRoot}>
      <a className="skip" href="#content">
        {strings.nav.skip}
      </a>
      <div className="shell">
        <header className="top-bar">
          <Head />
          <SearchButton keys={SEARCH_KEYS} onClick={search} />
          <Who onHelp={help} />
        </header>
        <header className="side-bar">
          <Head />
          <SearchButton keys={SEARCH_KEYS} onClick={search} />
          <nav className="side-nav" aria-label={strings.nav.label}>
            <PlaceLinks places={[...MAIN_PLACES, ...LINK_PLACES]} />
            {!user.is_alone && <small className="nav-head">{strings.nav.workspace}</small>}
            <PlaceLinks places={workspacePlaces(user)} />
          </nav>
          <div className="side-foot">
            {user.role === 'admin' && (
              <nav className="side-nav" aria-label={ADMIN.label}>
                <PlaceLinks places={[ADMIN]} />
              </nav>
            )}
            <Who onHelp={help} />
          </div>
        </header>
        <Content path={path} floatingRoot={floatingRoot}>
          {children}
        </Content>
        <Suspense fallback={<FirstBottomBar base={base} />}>
          <afterPaint.BottomBar />
        </Suspense>
      </div>
      {shown}
    </FloatingRoot>
  )
}

/** The keys of every page. */
function useKeys({ help, search }: Pick<ReturnType<typeof useShellDialogs>, 'help' | 'search'>): void {
  const [path, navigate] = useLocation()
  const { user } = useSignedIn()
  const pages = placesOf(user).flatMap(({ key, path: to }) => (key ? [[`g ${key}`, () => navigate(to)]] : []))
  useShortcuts({
    '?': help,
    ...(search && { '⌘k': search }),
    ...Object.fromEntries(pages),
    // The list of links handles these keys itself.
    ...(path === '/'
      ? {}
      : {
          ...(user.can.includes('links:create') && {
            c: () => navigate('/?do=create'),
            C: () => navigate('/?do=new'),
          }),
          '/': () => navigate('/?do=search'),
        }),
  })
}

type ContentProps = { path: string; children: ReactNode; floatingRoot: HTMLElement }

/** Scrolls to the top of a new page and moves the focus there. */
function Content({ path, children, floatingRoot }: ContentProps) {
  const element = useRef<HTMLElement>(null)
  const lastPath = useRef(path)
  useEffect(() => element.current!.append(floatingRoot), [floatingRoot])
  useEffect(() => {
    if (lastPath.current === path) return
    lastPath.current = path
    scrollTo(0, 0)
    element.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <main className="content" id="content" tabIndex={-1} ref={element}>
      {children}
    </main>
  )
}

const Brand = () => (
  <Link href="/" className="brand">
    <Logo />
    {strings.product}
  </Link>
)

/** The workspace; the product for somebody who is alone. */
const Head = () =>
  useSignedIn().user.is_alone ? (
    <Brand />
  ) : (
    <Suspense fallback={<Brand />}>
      <afterPaint.WorkspaceSwitcher />
    </Suspense>
  )

const Who = (props: { onHelp: () => void }) => (
  <Suspense fallback={<WhoButton disabled />}>
    <afterPaint.WhoMenu {...props} />
  </Suspense>
)

/** Opens the menu of the user. Disabled while that is loading. */
export function WhoButton(props: ComponentProps<'button'>) {
  const { user, instance } = useSignedIn()
  return (
    <button type="button" className="who" {...props}>
      <span className="only-spoken">{strings.nav.you}</span>
      <InitialBadge name={user.name} shape="round" />
      <span className="names">
        <strong className="cut">{user.name}</strong>
        <small className="cut">{withoutScheme(instance.base_url)}</small>
      </span>
      <ChevronsUpDown size={15} aria-hidden />
    </button>
  )
}

const isShown = (path: string, current: string) =>
  path === '/' ? /^\/($|(links|imports)\/)/.test(current) : current.startsWith(path)

export function PlaceLinks({ places }: { places: readonly NavItem[] }) {
  const [current] = useLocation()
  return places.map(({ path, label, icon: Icon }) => (
    <Link key={path} href={path} aria-current={isShown(path, current) ? 'page' : undefined}>
      <Icon size={18} strokeWidth={1.9} aria-hidden />
      {label}
    </Link>
  ))
}
