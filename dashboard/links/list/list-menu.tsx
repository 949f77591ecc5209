import { Layers } from 'lucide-react'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { strings } from '../../strings.ts'
import { exportItems } from './export-links.tsx'
import type { ListQuery } from './list-query.ts'

type ListMenuProps = {
  query: ListQuery
  /** Undefined for who may not create links. */
  onBulk: (() => void) | undefined
}

/** On a phone: what is in the head of the page elsewhere. Loaded after the page. */
export default function ListMenu({ query, onBulk }: ListMenuProps) {
  const bulk: MenuItem[] = onBulk ? [{ label: strings.links.bulk, icon: Layers, onSelect: onBulk }] : []
  return <Menu label={strings.links.moreActions} items={[...bulk, ...exportItems(query)]} />
}
