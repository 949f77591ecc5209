import { Suspense, useState } from 'react'
import type { LinkView, OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { useCopyNow } from '../components/copy.tsx'
import { sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { editLink, useLinkChange, useLinkDeletion, useLinkToggle } from './link-queries.ts'
import type { Neighbors } from './editor/panel-tools.tsx'
import { useCan } from '../use-session.ts'
import { strings } from '../strings.ts'
import { editing } from '../chunks/chunks.ts'
import { useTrashRestoration } from './trash/in-trash.tsx'
import {
  Archive,
  ArchiveRestore,
  CircleCheck,
  CirclePause,
  Copy,
  CopyPlus,
  ExternalLink,
  FlaskConical,
  FolderInput,
  Pencil,
  QrCode,
  Tag,
  Trash2,
} from 'lucide-react'
import { safeHref } from '../format.ts'

export type OpenedLink = {
  link: OwnLink
  /** Where the editor begins, if not at its first field. */
  place?: 'schedule' | 'test' | 'neighbors' | undefined
}
type OpenDialog = { what: 'edit'; edited: OpenedLink } | { what: 'qr'; link: LinkView }

export type LinkActions = {
  /** False for viewers, who are shown nothing that changes a link. */
  canWrite: boolean
  opened: OpenDialog | undefined
  open: (what: 'qr', link: LinkView) => void
  edit: (link: OpenedLink['link'], place?: OpenedLink['place']) => void
  close: () => void
  copy: (link: LinkView) => void
  archive: (link: LinkView, isArchived: boolean) => void
  turn: (link: LinkView, isActive: boolean) => void
  remove: (link: LinkView) => void
}

/** Actions on a link, for the list and its page. */
export function useLinkActions(onRemoved?: () => void): LinkActions {
  const [opened, setOpened] = useState<OpenDialog>()
  const toast = useToast()
  const copyNow = useCopyNow()
  const onError = (error: unknown) => toast({ tone: 'bad', text: strings.failure.undone(sentenceOf(error)) })
  const linkSwitch = useLinkToggle({
    onDone: ({ link, isActive, isUndo = false }) =>
      toast({
        text: (isActive ? strings.links.enabled : strings.links.disabled)(link.short_code),
        ...(!isUndo && { onUndo: () => linkSwitch.mutate({ link, isActive: !isActive, isUndo: true }) }),
      }),
    onError,
  })
  const restoration = useTrashRestoration()
  const deletion = useLinkDeletion({
    onDone: (link) => {
      toast({
        text: strings.links.deleted(link.short_code),
        onUndo: () => restoration.mutate(link),
      })
      onRemoved?.()
    },
    onError,
  })
  return {
    canWrite: useCan('links:write'),
    opened,
    open: (what, link) => setOpened({ what, link }),
    edit: (link, place) => setOpened({ what: 'edit', edited: { link, place } }),
    close: () => setOpened(undefined),
    copy: ({ short_url: url }) => void copyNow(url),
    archive: useArchiving(onError),
    turn: (link, isActive) => linkSwitch.mutate({ link, isActive }),
    remove: (link) => deletion.mutate(link),
  }
}

function useArchiving(onError: (error: unknown) => void): LinkActions['archive'] {
  const edit = useLinkChange(({ link, isArchived }: Archiving) => editLink(link, { archived: isArchived }), {
    said: (_, { link, isArchived, isUndo = false }) => ({
      text: (isArchived ? strings.links.archived : strings.links.unarchived)(link.short_code),
      ...(!isUndo && { onUndo: () => edit.mutate({ link, isArchived: !isArchived, isUndo: true }) }),
    }),
    onError,
  })
  return (link, isArchived) => edit.mutate({ link, isArchived })
}

type Archiving = { link: LinkView; isArchived: boolean; isUndo?: boolean }

type LinkDialogsProps = {
  actions: LinkActions
  /** Those around the opened link, in their order. */
  links?: readonly OpenedLink['link'][] | undefined
}

export function LinkDialogs({ actions, links }: LinkDialogsProps) {
  const { opened, close } = actions
  if (opened === undefined) return null
  return (
    <Suspense>
      {opened.what === 'qr' ? (
        <editing.QrDialog link={opened.link} onClose={close} />
      ) : (
        <editing.EditPanel
          key={opened.edited.link.id}
          opened={opened.edited}
          actions={actions}
          neighbors={links && neighborsOf(opened.edited.link, links, actions)}
        />
      )}
    </Suspense>
  )
}

function neighborsOf(
  { id }: LinkView,
  links: readonly OpenedLink['link'][],
  actions: LinkActions,
): Neighbors {
  const at = links.findIndex((link) => link.id === id)
  const goTo = (link: OpenedLink['link'] | undefined) => link && (() => actions.edit(link, 'neighbors'))
  return { previous: goTo(links[at - 1]), next: at < 0 ? undefined : goTo(links[at + 1]) }
}

/** What else a menu opens for its link. */
type MenuDialogs = { duplicate: () => void; label: (kind: 'tags' | 'folders') => void }

/** The items that menus of a link share. */
export const linkMenu = (link: OwnLink, actions: LinkActions, dialogs?: MenuDialogs) => ({
  copy: { label: strings.links.copyShort, icon: Copy, onSelect: () => actions.copy(link) },
  edit: { label: strings.links.edit, icon: Pencil, onSelect: () => actions.edit(link) },
  qr: { label: strings.links.qr, icon: QrCode, onSelect: () => actions.open('qr', link) },
  open: { label: strings.links.open, icon: ExternalLink, href: safeHref(link.original_url) },
  duplicate: { label: strings.links.duplicate, icon: CopyPlus, onSelect: () => dialogs?.duplicate() },
  test: { label: strings.links.test, icon: FlaskConical, onSelect: () => actions.edit(link, 'test') },
  folder: { label: strings.links.move, icon: FolderInput, onSelect: () => dialogs?.label('folders') },
  tags: { label: strings.links.changeTags, icon: Tag, onSelect: () => dialogs?.label('tags') },
  turn: link.is_active
    ? { label: strings.links.disable, icon: CirclePause, onSelect: () => actions.turn(link, false) }
    : { label: strings.links.enable, icon: CircleCheck, onSelect: () => actions.turn(link, true) },
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
