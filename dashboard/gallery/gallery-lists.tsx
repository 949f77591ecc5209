import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LabelView, ListedLink } from '../../src/http/endpoints/browser-types.ts'
import ExportLinks from '../links/export-links.tsx'
import FilterBar from '../links/filters/filter-bar.tsx'
import { LabelList } from '../links/labels/label-list.tsx'
import { LABELS } from '../links/labels/label-queries.ts'
import { filtersOf, type ListQuery, PLAIN } from '../links/list-query.ts'
import { BulkBar } from '../links/selection/bulk-bar.tsx'
import { useBulkWork } from '../links/selection/use-bulk-work.ts'
import { useSelection } from '../links/selection/use-selection.ts'
import { queryOf, viewsWith } from '../links/views/open-view.ts'
import { type SavedView, VIEWS } from '../links/views/view-queries.ts'
import ViewTabs from '../links/views/view-tabs.tsx'
import { COUNTS } from '../listed-links.ts'
import { Group } from './gallery-group.tsx'
import { galleryClient } from './gallery-session.ts'
import { PLAIN as LINK } from './gallery-links.tsx'

const CREATED_AT = LINK.created_at
const label = (id: number, name: string, links: number): LabelView => ({
  ...{ id, name, color: id % 6, link_count: links, archived_link_count: 0 },
})
const LABEL_ROWS: Record<'tags' | 'folders', LabelView[]> = {
  tags: [label(1, 'Winter 2026', 148), label(2, 'Newsletter', 62), label(3, '冬セール', 0)],
  folders: [
    label(4, 'Campaigns', 1_284),
    label(5, `A folder whose name is far too long ${'for '.repeat(9)}it`, 1),
  ],
}
const view = (id: number, name: string, query: string): SavedView => ({
  ...{ id, name, query, is_shared: id === 2, is_own: id !== 2, saved_by: 'Ada', created_at: CREATED_AT },
})
const VIEW_ROWS = [
  view(1, 'Winter campaign', 'tag=Winter+2026'),
  view(2, 'A view whose name is far too long for the tab that it has', 'tag=Newsletter'),
]
const COUNTED = [1_284, 6, 42, 118, 3]
const ROWS: ListedLink[] = ['winter', 'yuki', 'advent', 'press-kit'].map((code, at) => ({
  ...{ ...LINK, id: at + 1, short_code: code, last_clicked_at: null, sparkline: [], created_by: null },
}))
const FILTERED: ListQuery = {
  ...PLAIN,
  ...{ search: 'win', tags: ['Winter 2026'], statuses: ['active', 'scheduled', 'disabled'] },
  ...{ endsInDays: 14, needsAttention: true, archived: 'only', createdFrom: '2026-11-01' },
}

/** What the list would have asked the server for. */
function filledClient(): QueryClient {
  const client = galleryClient()
  client.setQueryData(VIEWS, VIEW_ROWS)
  for (const kind of ['tags', 'folders'] as const) client.setQueryData([...LABELS, kind], LABEL_ROWS[kind])
  const lists = [PLAIN, ...viewsWith(VIEW_ROWS).map(queryOf)]
  for (const [at, list] of lists.entries()) client.setQueryData([...COUNTS, filtersOf(list)], COUNTED[at])
  return client
}

const client = filledClient()

export const ListParts = () => (
  <QueryClientProvider client={client}>
    <Group title="Views and filters">
      <ListHead />
      <Filters first={PLAIN} />
    </Group>
    <Group title="Export">
      <ExportLinks query={PLAIN} />
    </Group>
    <Group title="Bar of selected links">
      <Selected of={ROWS} total={1_284} />
      <Selected
        of={ROWS.map((link) => ({ ...link, archived: true, is_active: false }))}
        total={ROWS.length}
      />
    </Group>
    {(['tags', 'folders'] as const).map((kind) => (
      <LabelList key={kind} kind={kind} hasLinks={false} />
    ))}
  </QueryClientProvider>
)

/** The views once, because landmarks of a page have different names. */
function ListHead() {
  const [query, setQuery] = useState(FILTERED)
  return (
    <div className="list-head" style={{ width: '100%' }}>
      <ViewTabs query={query} onOpen={setQuery} />
      <Filters first={FILTERED} />
    </div>
  )
}

function Filters({ first }: { first: ListQuery }) {
  const [query, setQuery] = useState(first)
  return (
    <div className="list-tools" style={{ width: '100%' }}>
      <FilterBar query={query} onChange={(change) => setQuery({ ...query, ...change })} />
    </div>
  )
}

function Selected({ of: rows, total }: { of: ListedLink[]; total: number }) {
  const selection = useSelection('gallery')
  const work = useBulkWork({ selection, rows, query: PLAIN, total })
  useEffect(() => selection.set(rows, true), [])
  // The bar is fixed to what is transformed, so that each has a place of its own here.
  return (
    <div style={{ width: '100%', height: 80, transform: 'translateZ(0)' }}>
      <BulkBar selection={selection} work={work} />
    </div>
  )
}
