import { Download, ScrollText, SearchX } from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { type AuditFilters, readFilters, requestOf, useAuditLog, writeFilters } from './audit-query.ts'
import { Button } from '../components/button.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { Empty, Failed } from '../components/states.tsx'
import { fullNumber } from '../format.ts'
import { nowMs } from '../now.ts'
import { workspaceUrl } from '../api/request.ts'
import { auditStrings as texts } from './audit-strings.ts'
import './audit.css'
import { useSignedIn } from '../use-session.ts'
import type { AuditEntryView } from '../../src/http/endpoints/browser-types.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { AuditEntry } from './audit-entry.tsx'
import { Page } from '../components/page.tsx'

export default function AuditPage() {
  const { audit_days: days } = useSignedIn().instance
  const [parameters, setParameters] = useSearchParams()
  const [openedAt] = useState(() => new Date(nowMs()).toISOString())
  const filters = readFilters(parameters)
  const log = useAuditLog(filters, openedAt)
  const pages = log.data?.pages
  return (
    <Page title={texts.title} lead={texts.lead(fullNumber(days))} action={<ExportMenu filters={filters} />}>
      <AuditFilterBar
        filters={filters}
        onChange={(change) => setParameters(writeFilters({ ...filters, ...change }), { replace: true })}
        count={countText(pages?.[0]?.meta)}
      />
      <div className="card">
        {log.error !== null && pages === undefined ? (
          <Failed what={texts.title} query={log} />
        ) : pages?.[0]?.data.length === 0 ? (
          <NoEntries isFiltered={parameters.size > 0} />
        ) : (
          <AuditTable entries={pages?.flatMap(({ data }) => data)} />
        )}
        {log.hasNextPage && (
          <LoadMore isBusy={log.isFetchingNextPage} onMore={() => void log.fetchNextPage()} />
        )}
      </div>
    </Page>
  )
}

function countText(meta: { total: number; is_complete: boolean } | undefined): string {
  if (meta === undefined) return ''
  const count = fullNumber(meta.total)
  return meta.is_complete ? texts.entries(count) : texts.moreEntries(count)
}

const NoEntries = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon={SearchX} title={texts.noneTitle} text={texts.noneText} />
  ) : (
    <Empty icon={ScrollText} title={texts.emptyTitle} text={texts.empty} />
  )

/** When it comes into view, and for the keyboard. */
function LoadMore({ isBusy, onMore }: { isBusy: boolean; onMore: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) more.current()
    })
    watcher.observe(element.current!)
    return () => watcher.disconnect()
  }, [isBusy])
  return (
    <div className="audit-more" ref={element}>
      <Button isBusy={isBusy} onClick={onMore}>
        {texts.loadMore}
      </Button>
    </div>
  )
}

const FORMATS = ['csv', 'ndjson'] as const

const ExportMenu = ({ filters }: { filters: AuditFilters }) => (
  <Menu
    label={texts.export}
    trigger={
      <button type="button" className="button is-plain is-medium">
        <Download size={16} aria-hidden />
        {texts.export}
      </button>
    }
    items={FORMATS.map((format) => ({
      label: texts.exportAs[format],
      icon: Download,
      href: workspaceUrl('/export/audit-log', { ...requestOf(filters), format }),
    }))}
  />
)

const { columns } = texts
const HEADS = [columns.time, columns.who, columns.what, columns.change, columns.through]
const SKELETON_ROWS = 6

/** Entries under the day on which they were made. `entries`: undefined while they are loading. */
const AuditTable = ({ entries }: { entries: readonly AuditEntryView[] | undefined }) => (
  <table role="table" className="table audit-table" aria-busy={entries === undefined}>
    <caption className="only-spoken">{texts.title}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {HEADS.map((head) => (
          <th key={head} role="columnheader" scope="col">
            {head}
          </th>
        ))}
        <th role="columnheader" scope="col">
          <span className="only-spoken">{columns.open}</span>
        </th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      {entries === undefined
        ? Array.from({ length: SKELETON_ROWS }, (_, at) => <SkeletonRow key={at} />)
        : entries.map((entry, at) => (
            <Fragment key={entry.id}>
              {dayOf(entry) !== (at > 0 && dayOf(entries[at - 1]!)) && (
                <tr role="row" className="audit-day">
                  <th role="rowheader" scope="rowgroup" colSpan={6}>
                    {dayOf(entry)}
                  </th>
                </tr>
              )}
              <AuditEntry entry={entry} />
            </Fragment>
          ))}
    </tbody>
  </table>
)

/** `Saturday, November 14, 2026`. */
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

function dayOf({ happened_at: at }: AuditEntryView): string {
  const day = fullDay.format(Date.parse(at))
  return day === fullDay.format(nowMs()) ? texts.today : day
}

const SkeletonRow = () => (
  <tr role="row">
    {[...HEADS, columns.open].map((head) => (
      <td key={head} role="cell">
        <Skeleton width={96} height={14} />
      </td>
    ))}
  </tr>
)
