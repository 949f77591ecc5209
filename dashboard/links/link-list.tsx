import { Link2, SearchX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { LinkListQuery } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { PageButtons } from '../parts/page-buttons.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { usePendingDeletions } from '../pending-deletions.ts'
import { useLinks } from '../queries.ts'
import { words } from '../words.ts'
import { linkColumns } from './link-columns.tsx'
import { LinkDialogs, useLinkActions } from './link-actions.tsx'

type LinkListProps = {
  query: LinkListQuery
  onChange: (change: Partial<LinkListQuery>) => void
  /** The link that was made just now: its address is selected for copying. */
  newCode: string | undefined
  onStart: () => void
}

export function LinkList({ query, onChange, newCode, onStart }: LinkListProps) {
  const { data, error, refetch } = useLinks(query)
  const deleted = usePendingDeletions()
  const actions = useLinkActions()
  const frame = useRef<HTMLDivElement>(null)
  const rows = data?.data.filter(({ short_code }) => !deleted.has(short_code))
  const isNewShown = newCode !== undefined && rows?.some(({ short_code }) => short_code === newCode)
  useEffect(() => {
    if (isNewShown) selectAddress(frame.current!.querySelector('tr.is-new .copy-text'))
  }, [isNewShown, newCode])
  if (error !== null && data === undefined) {
    return (
      <div className="card">
        <Failed error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (rows?.length === 0 && query.page === 1) {
    return (
      <div className="card">
        <NoLinks query={query} onChange={onChange} onStart={onStart} />
      </div>
    )
  }
  return (
    <div className="card" ref={frame}>
      <Table
        caption={words.links.title}
        className="link-table"
        columns={linkColumns(actions)}
        rows={rows}
        keyOf={({ id }) => id}
        rowClass={(link) =>
          `${link.is_active ? '' : 'is-off'}${link.short_code === newCode ? ' is-new' : ''}`
        }
        skeletonRows={6}
      />
      {data && (
        <PageButtons label={words.links.pages} meta={data.meta} onPage={(page) => onChange({ page })} />
      )}
      <LinkDialogs actions={actions} />
    </div>
  )
}

/** Focused, so that Enter copies; selected, so that the usual keys copy too. */
function selectAddress(element: HTMLElement | null): void {
  if (element === null) return
  element.focus()
  getSelection()?.selectAllChildren(element.querySelector('span') ?? element)
}

function NoLinks({ query, onChange, onStart }: Omit<LinkListProps, 'newCode'>) {
  if (query.search === '' && query.status === 'all') {
    return (
      <Empty icon={Link2} title={words.links.emptyTitle} text={words.links.empty}>
        <Button look="primary" onClick={onStart}>
          {words.links.paste}
        </Button>
      </Empty>
    )
  }
  const text = query.search === '' ? words.links.noneHere : words.links.none
  return (
    <Empty icon={SearchX} title={words.links.noneTitle} text={text}>
      <Button onClick={() => onChange({ search: '', status: 'all' })}>{words.links.clear}</Button>
    </Empty>
  )
}
