import {
  Archive,
  ChevronDown,
  Ellipsis,
  History,
  ListFilter,
  Pencil,
  Trash2,
  Users,
  UserX,
} from 'lucide-react'
import { useState } from 'react'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { strings } from '../../strings.ts'
import { type ListQuery, PLAIN } from '../list/list-query.ts'
import { PHONE, useMedia } from '../../use-media.ts'
import { inLineAndMenu, isHiddenEmpty, type ListView, queryOf, viewsWith } from './open-view.ts'
import {
  createView,
  deleteView,
  editView,
  type SavedView,
  useLinkCounts,
  useNotSaved,
  useViewChange,
  useViews,
} from './view-queries.ts'
import { DeleteViewDialog, RenameViewDialog, SaveView } from './view-dialogs.tsx'
import { useCan } from '../../use-session.ts'
import { useImportItem } from '../list/list-menus.tsx'

type ViewTabsProps = { query: ListQuery; onOpen: (query: ListQuery) => void }

/** Saved views of the list: each is a whole list, with its filters, order and columns. */
export default function ViewTabs({ query, onOpen }: ViewTabsProps) {
  const views = viewsWith(useViews().data)
  // Undefined: all links, or a view that is not there any more.
  const openView = views.find(({ id }) => id === query.view)
  const [all, ...counts] = useLinkCounts([PLAIN, ...views.map(queryOf)])
  const tabs = views
    .map((view, at) => ({ view, count: counts[at] }))
    .filter(({ view, count = 0 }) => !isHiddenEmpty(view) || count > 0 || view === openView)
  // On a phone, the line scrolls.
  const isPhone = useMedia(PHONE)
  const [line, rest] = isPhone ? [tabs, []] : inLineAndMenu(tabs, openView)
  return (
    <div className="view-line">
      <nav className="tabs" aria-label={texts.views}>
        <ViewTab
          name={strings.links.allLinks}
          count={all}
          isOpen={openView === undefined}
          onOpen={() => onOpen(PLAIN)}
        />
        {line.map(({ view, count }) => (
          <span key={view.id} className="view-tab">
            <ViewTab
              {...{ name: view.name, count, isOpen: view === openView }}
              onOpen={() => onOpen(queryOf(view))}
            />
            {view === openView && view.saved && <ViewMenu view={view.saved} onGone={() => onOpen(PLAIN)} />}
          </span>
        ))}
      </nav>
      {rest.length > 0 && <OtherViews views={rest.map(({ view }) => view)} onOpen={onOpen} />}
      <SaveView query={query} opened={openView} onOpen={onOpen} />
      <MoreViews onOpen={onOpen} />
    </div>
  )
}

/** `count`: how many links it has; undefined while that is not known. */
type ViewTabProps = { name: string; count: number | undefined; isOpen: boolean; onOpen: () => void }

const ViewTab = ({ name, count, isOpen, onOpen }: ViewTabProps) => (
  <button
    type="button"
    className="tab"
    data-state={isOpen ? 'active' : undefined}
    aria-current={isOpen ? 'page' : undefined}
    onClick={onOpen}
  >
    <span className="cut">{name}</span>
    {count !== undefined && <span className="tab-count">{fullNumber(count)}</span>}
  </button>
)

type OtherViewsProps = { views: readonly ListView[]; onOpen: ViewTabsProps['onOpen'] }

const OtherViews = ({ views, onOpen }: OtherViewsProps) => (
  <Menu
    label={texts.views}
    align="start"
    trigger={
      <button type="button" className="button is-quiet is-medium">
        {texts.otherViews(views.length)}
        <ChevronDown size={14} aria-hidden />
      </button>
    }
    items={views.map((view) => ({
      label: view.name,
      icon: ListFilter,
      onSelect: () => onOpen(queryOf(view)),
    }))}
  />
)

/** Lists that are always there, but seldom needed. */
function MoreViews({ onOpen }: Pick<ViewTabsProps, 'onOpen'>) {
  const importing = useImportItem()
  return (
    <Menu
      label={texts.moreViews}
      trigger={
        <button type="button" className="button is-quiet is-icon" aria-label={texts.moreViews}>
          <Ellipsis size={17} aria-hidden />
        </button>
      }
      items={[
        { label: texts.archived, icon: Archive, onSelect: () => onOpen({ ...PLAIN, archived: 'only' }) },
        { label: texts.trash, icon: Trash2, to: '/trash' },
        { label: texts.imports, icon: History, to: '/imports' },
        ...importing,
      ]}
    />
  )
}

function ViewMenu({ view, onGone }: { view: SavedView; onGone: () => void }) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>()
  const { name, is_shared: isShared, is_own: isOwn } = view
  const share = useViewChange(() => editView(view, { is_shared: !isShared }), {
    said: (isShared ? texts.unshared : texts.shared)(name),
    onError: useNotSaved(),
  })
  const canShare = useCan('templates:write')
  const deletion = useDeletionWithUndo(view, onGone)
  const sharing: MenuItem = isShared
    ? { label: texts.unshare, icon: UserX, onSelect: () => share.mutate() }
    : { label: texts.share, icon: Users, onSelect: () => share.mutate() }
  const own: MenuItem[] = [
    { label: texts.rename, icon: Pencil, onSelect: () => setDialog('rename') },
    ...(canShare ? [sharing] : []),
  ]
  const close = () => setDialog(undefined)
  if (isShared && !canShare) return null
  return (
    <>
      <Menu
        label={texts.viewOf(name)}
        align="start"
        items={[
          ...(isOwn ? own : []),
          {
            label: texts.delete,
            icon: Trash2,
            isDanger: true,
            onSelect: isOwn ? deletion : () => setDialog('delete'),
          },
        ]}
      />
      {dialog === 'rename' && <RenameViewDialog view={view} onClose={close} />}
      {dialog === 'delete' && <DeleteViewDialog view={view} onClose={close} onDeleted={onGone} />}
    </>
  )
}

/** For one's own view: undo saves it again. */
function useDeletionWithUndo(view: SavedView, onDeleted: () => void): () => void {
  const { name, query, is_shared } = view
  const onError = useNotSaved()
  const undo = useViewChange(() => createView({ name, query, is_shared }), {
    said: texts.viewBack(name),
    onError,
  })
  const deletion = useViewChange(() => deleteView(view), {
    said: { text: texts.deleted(name), onUndo: () => undo.mutate() },
    onSuccess: onDeleted,
    onError,
  })
  return () => deletion.mutate()
}
