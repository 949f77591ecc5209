import { BookOpen, ChevronsUpDown, CircleQuestionMark, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import mark from '../../src/http/pages/favicon.svg'
import { withoutScheme } from '../format.ts'
import { Letter } from '../parts/badge.tsx'
import { FloatingRoot } from '../parts/floating-root.ts'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { useToast } from '../parts/toasts.tsx'
import { useSignedIn, useSignOut } from '../use-session.ts'
import { useShortcuts } from '../shortcuts.ts'
import { chooseTheme, type Theme, THEMES, useChosenTheme } from '../theme.ts'
import { words } from '../words.ts'
import { ADMIN, type Place, PLACES } from './places.ts'

// Most visits do not open it.
const HelpDialog = lazy(() => import('./help-dialog.tsx'))

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }

/** A side bar from 900 px, a bottom bar below; the page between. */
export function Shell({ children }: { children: ReactNode }) {
  const { user } = useSignedIn()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [content, setContent] = useState<HTMLElement | null>(null)
  const [path, navigate] = useLocation()
  const places = user.role === 'admin' ? [...PLACES, ADMIN] : PLACES
  useShortcuts({
    '?': () => setHelpOpen(true),
    // On the page of links these are its own.
    ...(path === '/' ? {} : { c: () => navigate('/?do=create'), '/': () => navigate('/?do=search') }),
  })
  // What floats lies inside the content, so that readers find it in a landmark.
  return (
    <FloatingRoot value={content}>
      <a className="skip" href="#content">
        {words.nav.skip}
      </a>
      <div className="shell">
        <header className="top-bar">
          <Brand />
          <WhoMenu onHelp={() => setHelpOpen(true)} />
        </header>
        <header className="side-bar">
          <Brand />
          <nav className="side-nav" aria-label={words.nav.label}>
            {places.map((place) => (
              <PlaceLink key={place.path} {...place} current={path} />
            ))}
          </nav>
          <div className="side-foot">
            <WhoMenu onHelp={() => setHelpOpen(true)} />
          </div>
        </header>
        <Content path={path} onElement={setContent}>
          {children}
        </Content>
        <nav className="bottom-bar" aria-label={words.nav.label}>
          {places.map((place) => (
            <PlaceLink key={place.path} {...place} current={path} />
          ))}
        </nav>
      </div>
      {isHelpOpen && (
        <Suspense>
          <HelpDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </FloatingRoot>
  )
}

type ContentProps = { path: string; children: ReactNode; onElement: (element: HTMLElement) => void }

/** A new page begins at its top, and a reader begins there too. */
function Content({ path, children, onElement }: ContentProps) {
  const element = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => onElement(element.current!), [onElement])
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
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
    <img src={mark} width={28} height={28} alt="" />
    {words.product}
  </Link>
)

function PlaceLink({ path, label, icon: Icon, current }: Place & { current: string }) {
  const isCurrent = path === '/' ? current === '/' || current.startsWith('/links/') : current.startsWith(path)
  return (
    <Link href={path} aria-current={isCurrent ? 'page' : undefined}>
      <Icon size={18} strokeWidth={1.9} aria-hidden />
      {label}
    </Link>
  )
}

function WhoMenu({ onHelp }: { onHelp: () => void }) {
  const { user, instance } = useSignedIn()
  const toast = useToast()
  const theme = useChosenTheme()
  const signOut = useSignOut((error) => toast({ tone: 'bad', text: sentenceOf(error) }))
  const items: MenuItem[] = [
    { label: words.nav.help, icon: CircleQuestionMark, onSelect: onHelp },
    { label: words.nav.reference, icon: BookOpen, href: '/docs' },
    { kind: 'line' },
    {
      kind: 'choice',
      label: words.nav.theme,
      value: theme,
      choices: THEMES.map((each) => ({
        value: each,
        label: words.nav.themes[each],
        icon: THEME_ICONS[each],
      })),
      onChoice: (value) => chooseTheme(value as Theme),
    },
    { kind: 'line' },
    { label: words.nav.signOut, icon: LogOut, onSelect: () => signOut.mutate() },
  ]
  return (
    <Menu
      label={words.nav.you}
      items={items}
      align="start"
      trigger={
        <button type="button" className="who">
          <span className="only-spoken">{words.nav.you}</span>
          <Letter name={user.name} shape="round" />
          <span className="names">
            <strong className="cut">{user.name}</strong>
            <small className="cut">{withoutScheme(instance.base_url)}</small>
          </span>
          <ChevronsUpDown size={15} aria-hidden />
        </button>
      }
    />
  )
}
