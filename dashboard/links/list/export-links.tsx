import { Download, Layers } from 'lucide-react'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { workspaceUrl } from '../../request.ts'
import { strings } from '../../strings.ts'
import { ExportButton } from './export-button.tsx'
import { filtersOf, type ListQuery } from './list-query.ts'

const FORMATS = ['csv', 'ndjson'] as const

/** All links that the filters leave, not this page of them. Loaded after the page. */
export default function ExportLinks({ query }: { query: ListQuery }) {
  return <Menu label={strings.links.export} trigger={<ExportButton />} items={exportItems(query)} />
}

const exportItems = (query: ListQuery): MenuItem[] =>
  FORMATS.map((format) => ({
    label: strings.links.exportAs[format],
    icon: Download,
    href: workspaceUrl('/export/links', { ...filtersOf(query), format }),
  }))

type ListMenuProps = {
  query: ListQuery
  /** Undefined for who may not create links. */
  onBulk: (() => void) | undefined
}

/** On a phone: what is in the head of the page elsewhere. Loaded after the page. */
export function ListMenu({ query, onBulk }: ListMenuProps) {
  const bulk: MenuItem[] = onBulk ? [{ label: strings.links.bulk, icon: Layers, onSelect: onBulk }] : []
  return <Menu label={strings.links.moreActions} items={[...bulk, ...exportItems(query)]} />
}
