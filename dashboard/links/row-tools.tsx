import { CircleCheck, CirclePause, CopyPlus, FolderInput, Pencil, QrCode, Tag } from 'lucide-react'
import type { ListedLink } from '../../src/http/dashboard-api/types/link-types.ts'
import { IconButton } from '../components/button.tsx'
import { CopyButton } from '../components/copy.tsx'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { withoutScheme } from '../format.ts'
import { strings } from '../strings/strings.ts'
import type { LinkActions } from './link-actions.tsx'
import { linkMenu } from './link-menu.ts'
import type { Selection } from './selection/use-selection.ts'

type RowToolsProps = {
  link: ListedLink
  actions: LinkActions & { duplicate: (link: ListedLink) => void }
  selection: Selection
  /** The most frequent actions are in the row, not only in its menu. */
  hasReady: boolean
}

/** Shown on hover and focus. The menu has all actions. */
export function RowTools({ link, actions, selection, hasReady }: RowToolsProps) {
  const { short_code: code } = link
  return (
    <span className="row-tools">
      {hasReady && (
        <span className="row-tools-ready">
          <CopyButton text={link.short_url} label={strings.links.copyUrl(withoutScheme(link.short_url))} />
          <IconButton
            label={strings.links.qrOf(code)}
            icon={QrCode}
            onClick={() => actions.open('qr', link)}
          />
          {actions.canWrite && (
            <IconButton label={strings.links.editOf(code)} icon={Pencil} onClick={() => actions.edit(link)} />
          )}
        </span>
      )}
      <Menu label={strings.links.menuOf(code)} items={menuOf({ link, actions, selection })} />
    </span>
  )
}

function menuOf({ link, actions, selection }: Omit<RowToolsProps, 'hasReady'>): MenuItem[] {
  const { copy, qr, open, test, archive, remove } = linkMenu(link, actions)
  if (!actions.canWrite) return [copy, qr, open]
  const turn: MenuItem = link.is_active
    ? { label: strings.links.disable, icon: CirclePause, onSelect: () => actions.turn(link, false) }
    : { label: strings.links.enable, icon: CircleCheck, onSelect: () => actions.turn(link, true) }
  const edit: MenuItem = { label: strings.links.edit, icon: Pencil, onSelect: () => actions.edit(link) }
  const { duplicate, move, changeTags } = strings.links
  const labels: MenuItem[] = [
    { label: move, icon: FolderInput, onSelect: () => selection.askAbout(link, 'folder') },
    { label: changeTags, icon: Tag, onSelect: () => selection.askAbout(link, 'tags') },
  ]
  const copies: MenuItem = { label: duplicate, icon: CopyPlus, onSelect: () => actions.duplicate(link) }
  const line: MenuItem = { kind: 'line' }
  return [edit, copy, qr, open, copies, test, line, ...labels, line, turn, archive, line, remove]
}
