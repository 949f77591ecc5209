import { Download, Layers } from 'lucide-react'
import { type ComponentProps, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { type Created, useCreatedToast } from '../new-link.ts'
import { CreateLink } from './create-link.tsx'
import { LinkDialogs, useLinkActions } from '../link-actions.tsx'
import { LinkList } from './link-list.tsx'
import { LinkTools } from './link-tools.tsx'
import { linksQuery, type ListQuery, readListQuery, writeListQuery } from './list-query.ts'
import { useSelection } from '../selection/use-selection.ts'
import { Button } from '../../components/button.tsx'
import { MenuButton } from '../../components/pickers/menu-button.tsx'
import { useLiveClicks } from '../../analytics/live-clicks.ts'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useLinks } from '../link-queries.ts'
import { strings } from '../../strings.ts'
import { useCan } from '../../use-session.ts'
import { PHONE, useMedia } from '../../use-media.ts'
import { useTitle } from '../../use-title.ts'
import { afterPaint, editing } from '../../chunks/chunks.ts'

/** The URL holds search, filters and page. */
export function LinksPage() {
  useTitle(strings.links.title)
  const [parameters, setParameters] = useSearchParams()
  const query = readListQuery(parameters)
  const creation = useCreation()
  const canCreate = useCan('links:create')
  const [newId, setNewId] = useState<number>()
  const createField = useRef<HTMLInputElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  const actions = { ...useLinkActions(), duplicate: creation.openCopy }
  const selection = useSelection(JSON.stringify({ ...linksQuery(query), page: 1 }))
  const sayCreated = useCreatedToast(actions)
  useLiveClicks()
  // A phone has no room for the line: the editor creates.
  const isPhone = useMedia(PHONE)
  const startCreating = isPhone ? creation.openPanel : () => createField.current?.focus()
  const focusSearch = () => searchField.current?.focus()
  useWanted(parameters.get('do'), (wanted) => {
    if (wanted === 'search') focusSearch()
    else if (canCreate) (wanted === 'new' ? creation.openPanel : startCreating)()
    setParameters(writeListQuery(query), { replace: true })
  })
  useShortcuts({ '/': focusSearch, ...(canCreate && { c: startCreating, C: creation.openPanel }) })
  // Each filter is a step that Back undoes; each letter of a search is none.
  const show = (
    change: Partial<typeof query>,
    { isStep } = { isStep: Object.keys(change).join() !== 'search' },
  ) => {
    setParameters(writeListQuery({ ...query, page: 1, ...change }), { replace: !isStep })
    // Scroll to the first row of another page.
    if (change.page !== undefined && list.current!.getBoundingClientRect().top < 0)
      list.current!.scrollIntoView()
  }
  const onCreated: Created = (link, isCopied) => {
    // The new link is first in the unfiltered list.
    setParameters({}, { replace: true })
    setNewId(link.id)
    sayCreated(link, isCopied)
  }
  return (
    <div className={`page${selection.isPicking ? ' is-picking' : ''}`}>
      <PageHead query={query} creation={creation} onSelect={() => selection.startPicking()} />
      {canCreate && !isPhone && (
        <CreateLink
          {...{ field: createField, url: creation.url, onUrl: creation.setUrl, onCreated }}
          onManyPasted={creation.openBulk}
          onMore={creation.openPanel}
        />
      )}
      <section className="stack" aria-label={strings.links.title} ref={list}>
        <LinkTools field={searchField} query={query} onChange={show} />
        <LinkList {...{ query, actions, selection, newId }} onChange={show} onStart={startCreating} />
      </section>
      <LinkDialogs actions={actions} links={useLinks(linksQuery(query)).data?.data} />
      <CreationDialogs creation={creation} onCreated={onCreated} />
    </div>
  )
}

/** What another page has asked for in the URL. After the shell, which moves the focus to each new page. */
function useWanted(wanted: string | null, act: (wanted: string) => void): void {
  const actOn = useEffectEvent(act)
  useEffect(() => {
    if (wanted !== null) queueMicrotask(() => actOn(wanted))
  }, [wanted])
}

type PageHeadProps = {
  query: ListQuery
  creation: ReturnType<typeof useCreation>
  onSelect: () => void
}

function PageHead({ query, creation, onSelect }: PageHeadProps) {
  const canCreate = useCan('links:create')
  const canWrite = useCan('links:write')
  const isPhone = useMedia(PHONE)
  const openBulk = canCreate ? () => creation.openBulk('') : undefined
  return (
    <div className="page-head">
      <h1>{strings.links.title}</h1>
      <div id="pick-head" />
      {isPhone ? (
        <div className="actions">
          {canWrite && (
            <Button variant="quiet" onClick={onSelect}>
              {strings.links.select}
            </Button>
          )}
          <Suspense fallback={<MenuButton disabled aria-label={strings.links.moreActions} />}>
            <afterPaint.ListMenu query={query} onBulk={openBulk} />
          </Suspense>
        </div>
      ) : (
        <div className="actions">
          <Suspense fallback={<ExportButton disabled />}>
            <afterPaint.ExportLinks query={query} />
          </Suspense>
          {openBulk && (
            <Button icon={Layers} onClick={openBulk}>
              {strings.links.bulk}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** What was typed, and whether the panel or the bulk dialog is open. */
function useCreation() {
  const [url, setUrl] = useState('')
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [copied, setCopied] = useState<OwnLink>()
  /** The initial lines of the bulk dialog. Undefined while it is closed. */
  const [bulkText, setBulkText] = useState<string>()
  return {
    url,
    setUrl,
    isPanelOpen,
    openPanel: () => setPanelOpen(true),
    /** The link that is duplicated. */
    copied,
    openCopy: (link: OwnLink) => {
      setCopied(link)
      setPanelOpen(true)
    },
    bulkText,
    openBulk: (text: string) => setBulkText(text),
    close: () => {
      setPanelOpen(false)
      setCopied(undefined)
      setBulkText(undefined)
    },
  }
}

type CreationDialogsProps = { creation: ReturnType<typeof useCreation>; onCreated: Created }

function CreationDialogs({ creation, onCreated }: CreationDialogsProps) {
  const { url, setUrl, isPanelOpen, copied, bulkText, close } = creation
  const onCreatedHere: Created = (link, isCopied) => {
    setUrl('')
    onCreated(link, isCopied)
  }
  return (
    <Suspense>
      {isPanelOpen && (
        <editing.CreatePanel firstUrl={url} copied={copied} onCreated={onCreatedHere} onClose={close} />
      )}
      {bulkText !== undefined && <editing.BulkDialog firstText={bulkText} onClose={close} />}
    </Suspense>
  )
}

/** Opens the menu of formats. Disabled while that is loading. */
export const ExportButton = (props: ComponentProps<'button'>) => (
  <button type="button" className="button is-quiet is-medium" {...props}>
    <Download size={16} aria-hidden />
    {strings.links.export}
  </button>
)
