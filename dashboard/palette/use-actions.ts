import {
  BookOpen,
  Building2,
  CircleQuestionMark,
  Download,
  FolderPlus,
  Globe,
  Import,
  KeyRound,
  Layers,
  Link2,
  LogOut,
  MailPlus,
  Monitor,
  Moon,
  Plus,
  Sun,
  Tag,
  UserPlus,
} from 'lucide-react'
import { useLocation } from 'wouter'
import type { MeView } from '../../src/http/endpoints/browser-types.ts'
import { exportUrl } from '../api/api-client.ts'
import { workspaceUrl } from '../api/request.ts'
import { paletteStrings } from './palette-strings.ts'
import { chooseTheme, THEMES, useChosenTheme } from '../shell/theme.ts'
import { useSignedIn, useSignOut } from '../use-session.ts'
import { usesOf } from './palette-memory.ts'
import type { PaletteDialogs } from './palette-dialogs.tsx'
import type { PaletteRow } from './palette-rows.ts'
import { useErrorToast, useToast } from '../components/dialogs/toasts.tsx'
import { errorsOf, sentenceOf } from '../components/states.tsx'
import { createAndCopy } from '../links/new-link.ts'
import { looksLikeUrl, withScheme } from '../links/added-scheme.tsx'
import { useLinkCreation } from '../links/link-queries.ts'

const { actions: texts } = paletteStrings
const EXPORT_FORMATS = ['csv', 'ndjson'] as const
const DIALOG_ICONS = {
  key: KeyRound,
  members: UserPlus,
  tag: Tag,
  folder: FolderPlus,
  domain: Globe,
  workspace: Building2,
  invite: MailPlus,
}
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }

type Tools = { dialogs: PaletteDialogs; onHelp: () => void }

/** Every action of the dashboard that is not about one link, the most used first. */
export function useActions({ dialogs, onHelp }: Tools): PaletteRow[] {
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const theme = useChosenTheme()
  const signOut = useSignOut(useErrorToast())
  const { shortenClipboard } = useShortening(dialogs)
  const creations: PaletteRow[] = [
    {
      id: 'create',
      label: texts.create,
      icon: Plus,
      keys: '⇧C',
      run: () => dialogs.open({ what: 'create' }),
    },
    ...(shortenClipboard
      ? [{ id: 'create-clipboard', label: texts.clipboard, icon: Link2, run: shortenClipboard }]
      : []),
    { id: 'bulk', label: texts.bulk, icon: Layers, run: () => dialogs.open({ what: 'bulk' }) },
  ]
  const rows: PaletteRow[] = [
    ...(user.can.includes('links:create') ? creations : []),
    ...(user.can.includes('links:write')
      ? [{ id: 'import', label: texts.import, icon: Import, run: () => navigate('/imports/new') }]
      : []),
    ...dialogRows(user, dialogs),
    ...EXPORT_FORMATS.map((format) => ({
      id: `export-${format}`,
      label: texts.exportLinks[format],
      icon: Download,
      run: () => location.assign(workspaceUrl('/export/links', { format })),
    })),
    { id: 'export', label: texts.export, icon: Download, run: () => location.assign(exportUrl()) },
    ...THEMES.filter((each) => each !== theme).map((each) => ({
      id: `theme-${each}`,
      label: texts.theme[each],
      icon: THEME_ICONS[each],
      run: () => chooseTheme(each),
    })),
    { id: 'help', label: texts.help, icon: CircleQuestionMark, keys: '?', run: onHelp },
    { id: 'reference', label: texts.reference, icon: BookOpen, run: () => openTab('/docs') },
    { id: 'sign-out', label: texts.signOut, icon: LogOut, run: () => signOut.mutate() },
  ]
  const uses = usesOf(user.id)
  return rows.toSorted((one, other) => (uses[other.id] ?? 0) - (uses[one.id] ?? 0))
}

/** What opens a dialog, as far as the role allows it. */
function dialogRows({ can, role }: MeView, dialogs: PaletteDialogs): PaletteRow[] {
  const row = (what: keyof typeof DIALOG_ICONS, isAllowed: boolean): PaletteRow[] =>
    isAllowed
      ? [{ id: what, label: texts[what], icon: DIALOG_ICONS[what], run: () => dialogs.open({ what }) }]
      : []
  return [
    ...row('key', true),
    ...row('members', can.includes('members:manage')),
    ...row('tag', can.includes('tags:write')),
    ...row('folder', can.includes('tags:write')),
    ...row('domain', can.includes('domains:write')),
    ...row('workspace', true),
    ...row('invite', role === 'admin'),
  ]
}

export const openTab = (href: string): void => void open(href, '_blank', 'noopener,noreferrer')

/** Creates a link at once, and copies its short URL. */
export function useShortening({ onCreated }: Pick<PaletteDialogs, 'onCreated'>) {
  const toast = useToast()
  const creation = useLinkCreation()
  const shorten = async (text: string) => {
    try {
      onCreated(...(await createAndCopy(creation, { original_url: withScheme(text) })))
    } catch (error) {
      const [reason = sentenceOf(error)] = errorsOf(error, 'original_url') ?? []
      toast({ tone: 'bad', text: reason })
    }
  }
  const shortenClipboard = async () => {
    let text: string
    try {
      text = (await navigator.clipboard.readText()).trim()
    } catch {
      return toast({ tone: 'bad', text: paletteStrings.noClipboard })
    }
    if (looksLikeUrl(text)) await shorten(text)
    else toast({ tone: 'bad', text: paletteStrings.noUrl })
  }
  return {
    shorten: (text: string) => void shorten(text),
    // Without HTTPS, only localhost has a clipboard that can be read.
    shortenClipboard: 'clipboard' in navigator ? () => void shortenClipboard() : undefined,
  }
}
