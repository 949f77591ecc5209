import {
  BookOpen,
  CircleQuestionMark,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Plus,
  Sun,
  Tags,
} from 'lucide-react'
import { Menu, type MenuItem } from '../components/pickers/menu.tsx'
import { RunningImport } from '../links/imports/running-import.tsx'
import { strings } from '../strings.ts'
import { chooseTheme, type Theme, THEMES, useChosenTheme } from './theme.ts'
import { useSignedIn, useSignOut } from '../use-session.ts'
import { ACCOUNT, ADMIN, LINK_PLACES, MAIN_PLACES, workspacePlaces } from './places.ts'
import { PlaceLinks, WhoButton } from './shell.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { Link } from 'wouter'

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }

/** What is about the user, not about the workspace, and what goes on. Loaded after the page. */
export function WhoMenu({ onHelp }: { onHelp: () => void }) {
  const theme = useChosenTheme()
  const signOut = useSignOut(useErrorToast())
  const items: MenuItem[] = [
    { label: ACCOUNT.label, icon: ACCOUNT.icon, to: ACCOUNT.path },
    { label: strings.nav.labels, icon: Tags, to: '/tags' },
    { kind: 'line' },
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
    <>
      <RunningImport />
      <Menu label={strings.nav.you} items={items} align="start" trigger={<WhoButton />} />
    </>
  )
}

/** On a phone. What has no place in it is behind More. */
export function BottomBar() {
  const { user } = useSignedIn()
  const places = workspacePlaces(user)
  const inBar = places.filter(({ path }) => path === '/domains')
  const behindMore = places.filter((place) => !inBar.includes(place))
  const others = [...LINK_PLACES, ...behindMore, ACCOUNT, ...(user.role === 'admin' ? [ADMIN] : [])]
  return (
    <nav className="bottom-bar" aria-label={strings.nav.label}>
      <PlaceLinks places={MAIN_PLACES} />
      {user.can.includes('links:create') && (
        <Link href="/?do=new" className="bottom-create" aria-label={strings.links.create}>
          <Plus size={22} aria-hidden />
        </Link>
      )}
      <PlaceLinks places={inBar} />
      <Menu
        label={strings.nav.more}
        items={others.map(({ path, label, icon }) => ({ label, icon, to: path }))}
        trigger={
          <button type="button" className="bottom-more">
            <MenuIcon size={18} strokeWidth={1.9} aria-hidden />
            {strings.nav.more}
          </button>
        }
      />
    </nav>
  )
}
