import { Archive, ArchiveRestore, Copy, ExternalLink, FlaskConical, QrCode, Trash2 } from 'lucide-react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { safeHref } from '../format.ts'
import { strings } from '../strings.ts'
import type { LinkActions } from './link-actions.tsx'

/** The items that menus of a link share. */
export const linkMenu = (link: OwnLink, actions: LinkActions) => ({
  copy: { label: strings.links.copyShort, icon: Copy, onSelect: () => actions.copy(link) },
  qr: { label: strings.links.qr, icon: QrCode, onSelect: () => actions.open('qr', link) },
  open: { label: strings.links.open, icon: ExternalLink, href: safeHref(link.original_url) },
  test: { label: strings.links.test, icon: FlaskConical, onSelect: () => actions.edit(link, 'test') },
  archive: link.archived
    ? { label: strings.links.unarchive, icon: ArchiveRestore, onSelect: () => actions.archive(link, false) }
    : { label: strings.links.archive, icon: Archive, onSelect: () => actions.archive(link, true) },
  remove: {
    label: strings.links.delete,
    icon: Trash2,
    isDanger: true,
    onSelect: () => actions.remove(link),
  },
})
