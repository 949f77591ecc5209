import { Download, Globe, Import, Layers } from 'lucide-react'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { workspaceUrl } from '../../api/request.ts'
import { strings } from '../../strings.ts'
import { ExportButton } from './links-page.tsx'
import { filtersOf, type ListQuery } from './list-query.ts'
import { linkMenu } from '../link-actions.tsx'
import type { RowToolsProps } from './row-tools.tsx'
import { Select } from '../../components/fields/field.tsx'
import { editorStrings } from '../editor/editor-strings.ts'
import { listStrings } from './list-strings.ts'
import { useCan } from '../../use-session.ts'

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
  const importing = useImportItem()
  return <Menu label={strings.links.moreActions} items={[...bulk, ...importing, ...exportItems(query)]} />
}

/** The way to the wizard that imports links, for who may. */
export const useImportItem = (): MenuItem[] =>
  useCan('links:write') ? [{ label: listStrings.importLinks, icon: Import, to: '/imports/new' }] : []

type RowMenuProps = Omit<RowToolsProps, 'hasReady'>

/** All actions on a link of the list. Loaded after the rows. */
export function RowMenu(props: RowMenuProps) {
  return <Menu label={strings.links.menuOf(props.link.short_code)} items={menuOf(props)} />
}

function menuOf({ link, actions, selection }: RowMenuProps): MenuItem[] {
  const { copy, edit, qr, open, duplicate, test, folder, tags, turn, archive, remove } = linkMenu(
    link,
    actions,
    {
      duplicate: () => actions.duplicate(link),
      label: (kind) => selection.askAbout(link, kind === 'tags' ? 'tags' : 'folder'),
    },
  )
  if (!actions.canWrite) return [copy, qr, open]
  const line: MenuItem = { kind: 'line' }
  return [edit, copy, qr, open, duplicate, test, line, folder, tags, line, turn, archive, line, remove]
}

type DomainSelectProps = { domains: readonly string[]; domain: string; onDomain: (host: string) => void }

/** In the line that creates a link. */
export function DomainSelect({ domains, domain, onDomain }: DomainSelectProps) {
  return (
    <span className="create-domain">
      <Globe size={16} aria-hidden />
      <Select
        aria-label={editorStrings.domain}
        value={domain}
        choices={domains.map((host) => ({ value: host, label: host }))}
        onChoice={onDomain}
      />
    </span>
  )
}
