import { ChartColumn, Search } from 'lucide-react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import type { MenuItem } from '../components/pickers/menu.tsx'
import { fullNumber, shortUrlText } from '../format.ts'
import { copyOf } from '../links/editor/link-form.ts'
import { linkMenu } from '../links/link-actions.tsx'
import { pageOf } from '../links/link-address.ts'
import { IS_APPLE } from '../shell/shortcuts.ts'
import { paletteStrings as texts } from './palette-strings.ts'
import type { PaletteDialogs } from './palette-dialogs.tsx'
import type { FoundLinks } from './use-palette-content.ts'
import type { PaletteRow } from './palette-rows.ts'
import { openTab } from './use-actions.ts'
import { listPath } from './use-places.ts'

type Navigate = (path: string) => void

export const linkRow = (link: OwnLink, navigate: Navigate): PaletteRow => ({
  id: `link ${link.id}`,
  label: shortUrlText(link.short_url),
  link,
  run: () => navigate(pageOf(link)),
})

/** To all links that a search finds, if there are more than are shown. */
export function allLinksRow(
  { links, total, isMore }: FoundLinks,
  text: string,
  navigate: Navigate,
): PaletteRow[] {
  if (total <= links.length) return []
  const label = isMore ? texts.seeAllOfMany(text) : texts.seeAll(fullNumber(total), text)
  const run = () => navigate(listPath({ search: text, archived: 'include' }))
  return [{ id: 'all-links', label, icon: Search, run }]
}

type LinkTools = { dialogs: PaletteDialogs; path: string; navigate: Navigate }

/** What the menu of a link's row does. */
export function linkActionRows(link: OwnLink, { dialogs, path, navigate }: LinkTools): PaletteRow[] {
  const { actions } = dialogs
  const menu = linkMenu(link, actions, {
    duplicate: () => dialogs.open({ what: 'create', form: copyOf(link) }),
    label: (kind) => dialogs.open({ what: 'labels', kind, link }),
  })
  const page = pageOf(link)
  const deletion = () => {
    actions.remove(link)
    // Its page would have nothing to show.
    if (path === page) navigate('/')
  }
  const copy = rowOf('copy', menu.copy, IS_APPLE ? '⌘↵' : 'Ctrl ↵')
  const pageRow = { id: 'page', label: texts.openPage, icon: ChartColumn, run: () => navigate(page) }
  const rows = [rowOf('qr', menu.qr), rowOf('open', menu.open)]
  if (!actions.canWrite) return [copy, pageRow, ...rows]
  return [
    copy,
    rowOf('edit', menu.edit, 'E'),
    pageRow,
    ...rows,
    rowOf('duplicate', menu.duplicate),
    rowOf('test', menu.test),
    rowOf('tags', menu.tags),
    rowOf('folders', menu.folder),
    rowOf('turn', menu.turn),
    rowOf('archive', menu.archive),
    { ...rowOf('remove', menu.remove), isDanger: true, run: deletion },
  ]
}

type Item = Exclude<MenuItem, { kind: 'line' | 'choice' }>

const rowOf = (id: string, { label, icon, onSelect, href }: Item, keys?: string): PaletteRow => ({
  id,
  label,
  icon,
  ...(keys && { keys }),
  run: () => (href === undefined ? onSelect?.() : openTab(href)),
})
