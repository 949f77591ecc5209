import { Layers } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { CreatedLinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { CreateLink } from '../links/create-link.tsx'
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
  const toast = useToast()
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
  const show = (change: Partial<typeof query>) =>
    setParameters(writeListQuery({ ...query, page: 1, ...change }), { replace: change.page === undefined })
  const onCreated = (link: CreatedLinkView) => {
    // The new link stands first in the list without filters.
    setParameters({}, { replace: true })
    setNewCode(link.short_code)
    toast({ text: words.links.created(withoutScheme(link.short_url)) })
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
      <section className="stack" aria-label={words.links.title}>
        <LinkTools field={searchField} query={query} onChange={show} />
        <LinkList
          query={query}
          onChange={show}
          newCode={newCode}
          onStart={() => createField.current?.focus()}
        />
      </section>
      {bulkText !== undefined && (
        <Suspense>
          <BulkDialog firstText={bulkText} onClose={() => setBulkText(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
