import {
  Archive,
  Bookmark,
  Building2,
  Download,
  Flag,
  Folder,
  Globe,
  History,
  MailPlus,
  MonitorSmartphone,
  OctagonX,
  ShieldCheck,
  Tag,
  Tags,
  Trash2,
} from 'lucide-react'
import { useLocation } from 'wouter'
import type { LabelView } from '../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../format.ts'
import { listedLinks, useLabels } from '../links/labels/label-queries.ts'
import { PLAIN, writeListQuery } from '../links/list/list-query.ts'
import { queryOf } from '../links/views/open-view.ts'
import { useViews } from '../links/views/view-queries.ts'
import { ACCOUNT, ADMIN, type NavItem, placesOf } from '../shell/places.ts'
import { listStrings } from '../links/list/list-strings.ts'
import { paletteStrings as texts } from './palette-strings.ts'
import { strings } from '../strings.ts'
import { trashStrings } from '../links/trash/in-trash.tsx'
import { useSignedIn } from '../use-session.ts'
import type { PaletteRow } from './palette-rows.ts'

const { places } = texts
const OTHER_PAGES: NavItem[] = [
  { path: '/tags', label: strings.nav.labels, icon: Tags },
  { path: listPath({ archived: 'only' }), label: listStrings.archived, icon: Archive },
  { path: '/trash', label: trashStrings.title, icon: Trash2 },
  { path: '/imports', label: listStrings.imports, icon: History },
  ACCOUNT,
  { path: '/account/security', label: places.security, icon: ShieldCheck },
  { path: '/account/sessions', label: places.sessions, icon: MonitorSmartphone },
  { path: '/account/yours', label: places.data, icon: Download },
]
const ADMIN_PAGES: NavItem[] = [
  ADMIN,
  { path: '/admin/workspaces', label: places.adminWorkspaces, icon: Building2 },
  { path: '/admin/domains', label: places.adminDomains, icon: Globe },
  { path: '/admin/reports', label: places.adminReports, icon: Flag },
  { path: '/admin/hosts', label: places.hosts, icon: OctagonX },
  { path: '/admin/invitations', label: places.invitations, icon: MailPlus },
]

/** Pages, saved views, tags and folders. */
export function usePlaces(): PaletteRow[] {
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const views = useViews()
  const tags = useLabels('tags')
  const folders = useLabels('folders')
  const pages = [...placesOf(user), ...OTHER_PAGES, ...(user.role === 'admin' ? ADMIN_PAGES : [])]
  const row = (id: string, path: string, rest: Omit<PaletteRow, 'id' | 'run'>): PaletteRow => ({
    id,
    ...rest,
    run: () => navigate(path),
  })
  const labelRows = (kind: 'tag' | 'folder', labels: readonly LabelView[] = []) =>
    labels.map((label) =>
      row(`${kind} ${label.id}`, listPath({ [`${kind}s`]: [label.name] }), {
        label: texts[kind](label.name),
        icon: kind === 'tag' ? Tag : Folder,
        also: label.name,
        detail: texts.links(fullNumber(listedLinks(label))),
      }),
    )
  return [
    ...pages.map(({ path, label, icon, key }) =>
      row(`page ${path}`, path, { label, icon, ...(key && { keys: `G ${key.toUpperCase()}` }) }),
    ),
    ...(views.data ?? []).map((view) =>
      row(`view ${view.id}`, listPath(queryOf(view)), {
        label: texts.view(view.name),
        icon: Bookmark,
        also: view.name,
      }),
    ),
    ...labelRows('tag', tags.data),
    ...labelRows('folder', folders.data),
  ]
}

/** The list of links with these filters. */
export function listPath(filters: Partial<typeof PLAIN>): string {
  return `/?${writeListQuery({ ...PLAIN, ...filters })}`
}
