import { CircleCheck, CirclePause, CopyPlus, FolderInput, Pencil, Tag } from 'lucide-react'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { strings } from '../../strings.ts'
import { linkMenu } from '../link-actions.tsx'
import type { RowToolsProps } from './row-tools.tsx'

type RowMenuProps = Omit<RowToolsProps, 'hasReady'>

/** All actions on a link of the list. Loaded after the rows. */
export default function RowMenu(props: RowMenuProps) {
  return <Menu label={strings.links.menuOf(props.link.short_code)} items={menuOf(props)} />
}

function menuOf({ link, actions, selection }: RowMenuProps): MenuItem[] {
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
