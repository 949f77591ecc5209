import { Layers, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link as RouteLink, useSearchParams } from 'wouter'
import type { CreatedLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import type { Created } from '../links/create-and-copy.ts'
import { CreateLink } from '../links/create-link.tsx'
import { LinkDialogs, UNDO_MS, useLinkActions } from '../links/link-actions.tsx'
import { LinkList } from '../links/link-list.tsx'
import { LinkTools } from '../links/link-tools.tsx'
import { readListQuery, writeListQuery } from '../links/list-query.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../components/button.tsx'
import { useToast } from '../components/toasts.tsx'
import { useLiveClicks } from '../live-clicks.ts'
import { useShortcuts } from '../shortcuts.ts'
import { strings } from '../strings/strings.ts'
import { useTitle } from './use-title.ts'

const CreatePanel = lazy(() => import('../links/editor/create-panel.tsx'))
const BulkDialog = lazy(() => import('../links/bulk-dialog.tsx'))

/** The URL holds search, filters and page. */
export function LinksPage() {
  useTitle(strings.links.title)
  const [parameters, setParameters] = useSearchParams()
  const query = readListQuery(parameters)
  const creation = useCreation()
  const [newCode, setNewCode] = useState<string>()
  const createField = useRef<HTMLInputElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  const actions = useLinkActions()
  const sayCreated = useCreatedToast(actions)
  useLiveClicks()
  const focusCreate = () => createField.current?.focus()
  const focusSearch = () => searchField.current?.focus()
  const wanted = parameters.get('do')
  useEffect(() => {
    if (wanted === null) return
    // After the shell, which moves the focus to each new page.
    queueMicrotask(wanted === 'search' ? focusSearch : wanted === 'new' ? creation.openPanel : focusCreate)
    setParameters(writeListQuery(query), { replace: true })
  }, [wanted])
  useShortcuts({ c: focusCreate, C: creation.openPanel, '/': focusSearch })
  const show = (change: Partial<typeof query>) => {
    setParameters(writeListQuery({ ...query, page: 1, ...change }), { replace: change.page === undefined })
    // Scroll to the first row of another page.
    if (change.page !== undefined && list.current!.getBoundingClientRect().top < 0)
      list.current!.scrollIntoView()
  }
  const onCreated: Created = (link, isCopied) => {
    // The new link is first in the unfiltered list.
    setParameters({}, { replace: true })
    setNewCode(link.short_code)
    sayCreated(link, isCopied)
  }
  return (
    <div className="page">
      <PageHead onBulk={() => creation.openBulk('')} />
      <CreateLink
        field={createField}
        url={creation.url}
        onUrl={creation.setUrl}
        onCreated={onCreated}
        onManyPasted={creation.openBulk}
        onMore={creation.openPanel}
      />
      <section className="stack" aria-label={strings.links.title} ref={list}>
        <LinkTools field={searchField} query={query} onChange={show} />
        <LinkList query={query} onChange={show} actions={actions} newCode={newCode} onStart={focusCreate} />
      </section>
      <LinkDialogs actions={actions} />
      <CreationDialogs creation={creation} onCreated={onCreated} />
    </div>
  )
}

const PageHead = ({ onBulk }: { onBulk: () => void }) => (
  <div className="page-head">
    <h1>{strings.links.title}</h1>
    <div className="actions">
      <RouteLink href="/trash" className="button is-quiet is-medium">
        <Trash2 size={16} aria-hidden />
        {strings.links.trash}
      </RouteLink>
      <Button icon={Layers} onClick={onBulk}>
        {strings.links.bulk}
      </Button>
    </div>
  </div>
)

/** What was typed, and whether the panel or the bulk dialog is open. */
function useCreation() {
  const [url, setUrl] = useState('')
  const [isPanelOpen, setPanelOpen] = useState(false)
  /** The initial lines of the bulk dialog. Undefined while it is closed. */
  const [bulkText, setBulkText] = useState<string>()
  return {
    url,
    setUrl,
    isPanelOpen,
    openPanel: () => setPanelOpen(true),
    bulkText,
    openBulk: (text: string) => setBulkText(text),
    close: () => {
      setPanelOpen(false)
      setBulkText(undefined)
    },
  }
}

type CreationDialogsProps = { creation: ReturnType<typeof useCreation>; onCreated: Created }

function CreationDialogs({ creation, onCreated }: CreationDialogsProps) {
  const { url, setUrl, isPanelOpen, bulkText, close } = creation
  const onCreatedHere: Created = (link, isCopied) => {
    setUrl('')
    onCreated(link, isCopied)
  }
  return (
    <Suspense>
      {isPanelOpen && <CreatePanel firstUrl={url} onCreated={onCreatedHere} onClose={close} />}
      {bulkText !== undefined && <BulkDialog firstText={bulkText} onClose={close} />}
    </Suspense>
  )
}

function useCreatedToast(actions: ReturnType<typeof useLinkActions>) {
  const toast = useToast()
  return (link: CreatedLinkView, isCopied: boolean) => {
    const { created, createdOnly, copyShort, qr, edit } = strings.links
    toast({
      text: (isCopied ? created : createdOnly)(withoutScheme(link.short_url)),
      shownMs: UNDO_MS,
      actions: [
        ...(isCopied ? [] : [{ label: copyShort, onSelect: () => actions.copy(link) }]),
        { label: qr, onSelect: () => actions.open('qr', link) },
        ...(isCopied ? [{ label: edit, onSelect: () => actions.open('edit', link) }] : []),
      ],
    })
  }
}
