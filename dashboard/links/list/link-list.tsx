import {
  type ComponentProps,
  type MouseEvent,
  type PointerEvent,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import type { ListedLink, ListMeta, PageMeta } from '../../../src/http/endpoints/browser-types.ts'
import { openRow, Table } from '../../components/table.tsx'
import { useLinks, useTotal } from '../link-queries.ts'
import { PHONE, useMedia } from '../../use-media.ts'
import { useSignedIn } from '../../use-session.ts'
import { strings } from '../../strings.ts'
import { useTagColors } from '../labels/label-queries.ts'
import { isFaded } from '../link-name.tsx'
import { linkColumns } from './link-columns.tsx'
import type { LinkActions } from '../link-actions.tsx'
import { filtersOf, linksQuery, type ListQuery } from './list-query.ts'
import type { Picked, Selection } from '../selection/use-selection.ts'
import type { BulkWork } from '../selection/use-bulk-work.ts'
import { useRowKeys } from '../selection/use-row-keys.ts'
import { afterPaint } from '../../chunks/chunks.ts'
import { FailedCard, hasFailed } from '../../components/states.tsx'

const LONG_PRESS_MS = 500

/** What a touch does in a row: a long one begins to select, and then each one selects instead of opening the link. */
function usePickingTouches({ isPicking, toggle, startPicking }: Selection) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The click that ends a long press opens nothing. */
  const wasLong = useRef(false)
  const cancel = () => clearTimeout(timer.current)
  return (link: ListedLink): ComponentProps<'tr'> => ({
    onPointerDown: ({ pointerType }: PointerEvent) => {
      wasLong.current = false
      if (pointerType !== 'touch' || isPicking) return
      timer.current = setTimeout(() => {
        wasLong.current = true
        startPicking([link])
      }, LONG_PRESS_MS)
    },
    onPointerUp: cancel,
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) cancel()
    },
    onPointerCancel: cancel,
    onContextMenu: (event: MouseEvent) => {
      if (wasLong.current || isPicking) event.preventDefault()
    },
    onClickCapture: (event: MouseEvent<HTMLTableRowElement>) => {
      const isTick = (event.target as Element).closest('.tick') !== null
      if (!wasLong.current && (!isPicking || isTick)) return
      event.preventDefault()
      event.stopPropagation()
      if (!wasLong.current) toggle(link)
      wasLong.current = false
    },
    onClick: openRow,
  })
}

type LinkListProps = {
  query: ListQuery
  onChange: (change: Partial<ListQuery>, how?: { isStep: boolean }) => void
  actions: LinkActions & { duplicate: (link: ListedLink) => void }
  selection: Selection
  /** The link that was just created. Its row is highlighted. */
  newId: number | undefined
  onStart: () => void
}

/** Without hover, the menu has all actions and the row needs no buttons. */
const WITH_A_FINGER = `(pointer: coarse), ${PHONE}`
const NO_ROWS: ListedLink[] = []

export function LinkList({ query, onChange, actions, selection, newId, onStart }: LinkListProps) {
  const { data, rows, pages, error, refetch } = usePageOfLinks(query, onChange)
  const hasReady = !useMedia(WITH_A_FINGER)
  const colors = useTagColors()
  const { user } = useSignedIn()
  const frame = useRef<HTMLDivElement>(null)
  const hadRows = useRef(false)
  hadRows.current ||= (rows?.length ?? 0) > 0
  const touches = usePickingTouches(selection)
  const work = useRef<BulkWork>(undefined)
  useRowKeys({ selection, actions, work, frame, rows: rows ?? NO_ROWS })
  if (hasFailed({ data, error })) return <FailedCard what={strings.nav.links} query={{ error, refetch }} />
  const archived = data?.meta.archived ?? 0
  const matches = archived > 0 && (
    <MatchesInArchive query={query} isEmpty={rows?.length === 0} onChange={onChange} />
  )
  if (rows?.length === 0 && query.page === 1) {
    return (
      <div className="card">
        <Suspense>
          <afterPaint.NoLinks {...{ query, archived, onChange, onStart }} takesFocus={!hadRows.current} />
        </Suspense>
        {matches}
      </div>
    )
  }
  const { picked, isPicking } = selection
  return (
    <div className="card" ref={frame}>
      <Table
        caption={strings.links.title}
        className={`link-table${picked.size > 0 || isPicking ? ' has-picked' : ''}`}
        opensRows
        hasLabels={false}
        {...(actions.canWrite && { rowEvents: touches })}
        columns={linkColumns({
          actions,
          selection,
          colors,
          query,
          hasReady,
          user,
          rows: rows ?? NO_ROWS,
          onSort: (sort, order) => onChange({ sort, order }),
        })}
        rows={rows}
        keyOf={({ id }) => id}
        rowClass={(link) => rowClass(link, newId, picked)}
        skeletonRows={6}
      />
      {matches}
      {rows && pages && (
        <Suspense>
          <afterPaint.PageButtons
            label={strings.links.pages}
            meta={pages}
            onPage={(page) => onChange({ page })}
          />
          <afterPaint.SelectionTools
            ref={work}
            {...{ selection, query, frame }}
            rows={rows}
            total={pages.total}
          />
        </Suspense>
      )}
    </div>
  )
}

/** `rows`: none while they load. `pages`: none until the links are counted. A page after the last one is left for the last. */
function usePageOfLinks(query: ListQuery, onChange: LinkListProps['onChange']) {
  const { data: latest, error, refetch, isPlaceholderData } = useLinks(linksQuery(query))
  // Deferred, so that a slow phone can respond to touches while rows render.
  const data = useDeferredValue(latest)
  const total = useTotal(filtersOf(query), { page: data, isPrevious: isPlaceholderData })
  const pages = data && total !== undefined ? pagesOf(data.meta, total) : undefined
  const isBeyond = data?.data.length === 0 && query.page > (pages?.last_page ?? 1)
  const leaveForLast = useEffectEvent(() => onChange({ page: pages!.last_page }, { isStep: false }))
  const hasToLeave = isBeyond && pages !== undefined
  useEffect(() => {
    if (hasToLeave) leaveForLast()
  }, [hasToLeave])
  return { data, rows: isBeyond ? undefined : data?.data, pages, error, refetch }
}

const pagesOf = ({ current_page, per_page }: ListMeta, total: number): PageMeta => ({
  current_page,
  per_page,
  total,
  last_page: Math.max(1, Math.ceil(total / per_page)),
})

/** Of a search that leaves the archive out. */
const MatchesInArchive = (props: ComponentProps<typeof afterPaint.ArchivedMatches>) =>
  props.query.search !== '' &&
  props.query.archived === 'exclude' && (
    <Suspense>
      <afterPaint.ArchivedMatches {...props} />
    </Suspense>
  )

const rowClass = (link: ListedLink, newId: number | undefined, picked: Picked) =>
  [
    isFaded(link) ? 'is-off' : '',
    link.id === newId ? 'is-new' : '',
    picked.has(link.id) ? 'is-picked' : '',
  ].join(' ')
