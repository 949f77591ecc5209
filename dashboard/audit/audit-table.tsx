import { Fragment } from 'react'
import type { AuditEntryView } from '../../src/http/endpoints/browser-types.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { auditStrings as texts } from './audit-strings.ts'
import { nowMs } from '../now.ts'
import { AuditEntry } from './audit-entry.tsx'

const { columns } = texts
const HEADS = [columns.time, columns.who, columns.what, columns.change, columns.through]
const SKELETON_ROWS = 6

/** Entries under the day on which they were made. `entries`: undefined while they are loading. */
export const AuditTable = ({ entries }: { entries: readonly AuditEntryView[] | undefined }) => (
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
