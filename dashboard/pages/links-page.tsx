import { Layers } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { CreatedLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { CreateLink } from '../links/create-link.tsx'
import { LinkDialogs, UNDO_MS, useLinkActions } from '../links/link-actions.tsx'
import { LinkList } from '../links/link-list.tsx'
import { LinkTools } from '../links/link-tools.tsx'
import { readListQuery, writeListQuery } from '../links/list-query.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { useToast } from '../parts/toasts.tsx'
import { useLiveClicks } from '../live-clicks.ts'
import { useShortcuts } from '../shortcuts.ts'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const BulkDialog = lazy(() => import('../links/bulk-dialog.tsx'))

/** The home: make a link, find a link, change a link. What is looked at stands in the address. */
export function LinksPage() {
  useTitle(words.links.title)
  const [parameters, setParameters] = useSearchParams()
  const query = readListQuery(parameters)
  /** The lines that the dialog for many begins with; undefined while it is closed. */
  const [bulkText, setBulkText] = useState<string>()
  const [newCode, setNewCode] = useState<string>()
  const createField = useRef<HTMLInputElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  const toast = useToast()
  const actions = useLinkActions()
  useLiveClicks()
  const wanted = parameters.get('do')
  useEffect(() => {
    if (wanted === null) return
    const field = wanted === 'search' ? searchField : createField
    // After the frame around the page, which gives the focus to each new page.
    queueMicrotask(() => field.current?.focus())
    setParameters(writeListQuery(query), { replace: true })
  }, [wanted])
  useShortcuts({ c: () => createField.current?.focus(), '/': () => searchField.current?.focus() })
  const show = (change: Partial<typeof query>) => {
    setParameters(writeListQuery({ ...query, page: 1, ...change }), { replace: change.page === undefined })
    // Another page begins at its first row.
    if (change.page !== undefined && list.current!.getBoundingClientRect().top < 0)
      list.current!.scrollIntoView()
  }
  const onCreated = (link: CreatedLinkView, isCopied: boolean) => {
    // The new link stands first in the list without filters.
    setParameters({}, { replace: true })
    setNewCode(link.short_code)
    const { created, createdOnly, copyShort, qr, edit } = words.links
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
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.links.title}</h1>
        <Button icon={Layers} onClick={() => setBulkText('')}>
          {words.links.bulk}
        </Button>
      </div>
      <CreateLink field={createField} onCreated={onCreated} onManyPasted={setBulkText} />
      <section className="stack" aria-label={words.links.title} ref={list}>
        <LinkTools field={searchField} query={query} onChange={show} />
        <LinkList
          query={query}
          onChange={show}
          actions={actions}
          newCode={newCode}
          onStart={() => createField.current?.focus()}
        />
      </section>
      <LinkDialogs actions={actions} />
      {bulkText !== undefined && (
        <Suspense>
          <BulkDialog firstText={bulkText} onClose={() => setBulkText(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
