import { Download } from 'lucide-react'
import { Menu } from '../components/menu.tsx'
import { workspaceUrl } from '../request.ts'
import { strings } from '../strings/strings.ts'
import { filtersOf, type ListQuery } from './list-query.ts'

const FORMATS = ['csv', 'ndjson'] as const

/** All links that the filters leave, not this page of them. */
export function ExportLinks({ query }: { query: ListQuery }) {
  return (
    <Menu
      label={strings.links.export}
      trigger={
        <button type="button" className="button is-quiet is-medium">
          <Download size={16} aria-hidden />
          {strings.links.export}
        </button>
      }
      items={FORMATS.map((format) => ({
        label: strings.links.exportAs[format],
        icon: Download,
        href: workspaceUrl('/export/links', { ...filtersOf(query), format }),
      }))}
    />
  )
}
