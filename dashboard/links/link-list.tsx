import { Link2, SearchX } from 'lucide-react'
import { type RefObject, useDeferredValue, useEffect, useRef } from 'react'
import { Button } from '../components/button.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { Empty, Failed } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { useLinks } from '../queries.ts'
import { useShortcuts } from '../shortcuts.ts'
import { useMedia } from '../use-media.ts'
import { strings } from '../strings/strings.ts'
import { isFaded } from './link-badges.tsx'
import { linkColumns } from './link-columns.tsx'
import type { LinkActions } from './link-actions.tsx'
import { type ListQuery, linksQuery } from './list-query.ts'

type LinkListProps = {
  query: ListQuery
  onChange: (change: Partial<ListQuery>) => void
  actions: LinkActions
  /** The link that was just created. Its row is highlighted. */
  newCode: string | undefined
  onStart: () => void
}

/** Without hover, the menu has all actions and the row needs no buttons. */
const WITH_A_FINGER = '(pointer: coarse), (max-width: 639px)'

export function LinkList({ query, onChange, actions, newCode, onStart }: LinkListProps) {
  const { data: latest, error, refetch } = useLinks(linksQuery(query))
  // Deferred, so that a slow phone can respond to touches while rows render.
  const data = useDeferredValue(latest)
  const hasReady = !useMedia(WITH_A_FINGER)
  const frame = useRef<HTMLDivElement>(null)
  const rows = data?.data
  useFocusKept(frame, rows)
  useShortcuts({
    e: () => {
      const link = rows?.[focusedRow(frame.current)]
      if (link) actions.open('edit', link)
    },
  })
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
        caption={strings.links.title}
        className="link-table"
        opensRows
        columns={linkColumns(actions, hasReady)}
        rows={rows}
        keyOf={({ id }) => id}
        rowClass={(link) => `${isFaded(link) ? 'is-off' : ''}${link.short_code === newCode ? ' is-new' : ''}`}
        skeletonRows={6}
      />
      {data && (
        <PageButtons label={strings.links.pages} meta={data.meta} onPage={(page) => onChange({ page })} />
      )}
    </div>
  )
}

/** -1 if the focus is not in a row. */
function focusedRow(frame: HTMLElement | null): number {
  const row = document.activeElement?.closest('tbody tr')
  return row && frame?.contains(row) ? [...row.parentElement!.children].indexOf(row) : -1
}

const FRAMES_MAX = 30
const isInMenu = (element: Element | null) => element?.closest('[role=menu]') != null

/** Moves the focus from a deleted row to the row that takes its place. */
function useFocusKept(frame: RefObject<HTMLElement | null>, rows: readonly unknown[] | undefined): void {
  /** The row that has the focus, or whose menu has it. */
  const place = useRef(-1)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const row = (target as Element).closest('tr')
      if (row && frame.current?.contains(row)) place.current = [...row.parentElement!.children].indexOf(row)
      else if (!isInMenu(target as Element)) place.current = -1
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  const count = rows?.length ?? 0
  const countBefore = useRef(count)
  useEffect(() => {
    const isFewer = count < countBefore.current
    countBefore.current = count
    if (!isFewer || place.current < 0) return
    // The row's menu may still be closing and has the focus until then.
    const give = (frames: number) => {
      if (isInMenu(document.activeElement) && frames > 0) requestAnimationFrame(() => give(frames - 1))
      if (document.activeElement !== document.body) return
      const names = frame.current?.querySelectorAll<HTMLElement>('tbody .row-link') ?? []
      names[Math.min(place.current, names.length - 1)]?.focus()
    }
    requestAnimationFrame(() => give(FRAMES_MAX))
  }, [count])
}

type NoLinksProps = Pick<LinkListProps, 'query' | 'onChange' | 'onStart'>

function NoLinks({ query, onChange, onStart }: NoLinksProps) {
  const isFirst = query.search === '' && query.state === 'all'
  // A user without links probably wants to create one. The focus is not taken from another element.
  useEffect(() => {
    const isFree = document.activeElement?.matches('body, #content') ?? true
    if (isFirst && isFree) onStart()
  }, [isFirst])
  if (isFirst) {
    return (
      <Empty icon={Link2} title={strings.links.emptyTitle} text={strings.links.empty}>
        <Button variant="primary" onClick={onStart}>
          {strings.links.paste}
        </Button>
      </Empty>
    )
  }
  const text =
    query.search === '' && query.state !== 'all'
      ? strings.links.noneOf[query.state]
      : strings.links.none(query.search, query.state)
  return (
    <Empty icon={SearchX} title={strings.links.noneTitle} text={text}>
      <Button onClick={() => onChange({ search: '', state: 'all' })}>{strings.links.clear}</Button>
    </Empty>
  )
}
