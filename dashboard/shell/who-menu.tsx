import { BookOpen, CircleQuestionMark, LogOut, Monitor, Moon, Sun, Tags } from 'lucide-react'
import { Menu, type MenuItem } from '../components/pickers/menu.tsx'
import { strings } from '../strings.ts'
import { chooseTheme, type Theme, THEMES, useChosenTheme } from '../theme.ts'
import { useSignOut } from '../use-session.ts'
import { ACCOUNT } from './places.ts'
import { WhoButton } from './shell.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }

/** What is about the user, not about the workspace. Loaded after the page. */
export default function WhoMenu({ onHelp }: { onHelp: () => void }) {
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
  return <Menu label={strings.nav.you} items={items} align="start" trigger={<WhoButton />} />
}
