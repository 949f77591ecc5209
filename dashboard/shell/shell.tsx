import { BookOpen, ChevronsUpDown, CircleQuestionMark, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import mark from '../../src/http/pages/favicon.svg'
import { withoutScheme } from '../format.ts'
import { InitialBadge } from '../components/badge.tsx'
import { FloatingRoot } from '../components/floating-root.ts'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/toasts.tsx'
import { useSignedIn, useSignOut } from '../use-session.ts'
import { useShortcuts } from '../shortcuts.ts'
import { chooseTheme, type Theme, THEMES, useChosenTheme } from '../theme.ts'
import { strings } from '../strings/strings.ts'
import { ADMIN, type NavItem, NAV_ITEMS } from './places.ts'

const HelpDialog = lazy(() => import('./help-dialog.tsx'))

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }

/** A side bar from 900 px, otherwise a bottom bar. */
export function Shell({ children }: { children: ReactNode }) {
  const { user } = useSignedIn()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [content, setContent] = useState<HTMLElement | null>(null)
  const [path, navigate] = useLocation()
  const places = user.role === 'admin' ? [...NAV_ITEMS, ADMIN] : NAV_ITEMS
  useShortcuts({
    '?': () => setHelpOpen(true),
    // The list of links handles these keys itself.
    ...(path === '/'
      ? {}
      : {
          c: () => navigate('/?do=create'),
          C: () => navigate('/?do=new'),
          '/': () => navigate('/?do=search'),
        }),
  })
  // Menus and tooltips are inside the content, so that screen readers find them in a landmark.
  return (
    <FloatingRoot value={content}>
      <a className="skip" href="#content">
        {strings.nav.skip}
      </a>
      <div className="shell">
        <header className="top-bar">
          <Brand />
          <WhoMenu onHelp={() => setHelpOpen(true)} />
        </header>
        <header className="side-bar">
          <Brand />
          <nav className="side-nav" aria-label={strings.nav.label}>
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
        <nav className="bottom-bar" aria-label={strings.nav.label}>
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

/** Scrolls to the top of a new page and moves the focus there. */
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
    {strings.product}
  </Link>
)

function PlaceLink({ path, label, icon: Icon, current }: NavItem & { current: string }) {
  const isCurrent =
    path === '/' ? current === '/' || /^\/(links\/|trash$)/.test(current) : current.startsWith(path)
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
    { label: strings.nav.help, icon: CircleQuestionMark, onSelect: onHelp },
    { label: strings.nav.reference, icon: BookOpen, href: '/docs' },
    { kind: 'line' },
    {
      kind: 'choice',
      label: strings.nav.theme,
      value: theme,
      choices: THEMES.map((each) => ({
        value: each,
        label: strings.nav.themes[each],
        icon: THEME_ICONS[each],
      })),
      onChoice: (value) => chooseTheme(value as Theme),
    },
    { kind: 'line' },
    { label: strings.nav.signOut, icon: LogOut, onSelect: () => signOut.mutate() },
  ]
  return (
    <Menu
      label={strings.nav.you}
      items={items}
      align="start"
      trigger={
        <button type="button" className="who">
          <span className="only-spoken">{strings.nav.you}</span>
          <InitialBadge name={user.name} shape="round" />
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
