import { Notice } from '../../components/states.tsx'
import { fullNumber, withoutScheme } from '../../format.ts'
import { bulkStrings } from './bulk-strings.ts'
import { editorStrings } from '../editor/editor-strings.ts'
import type { BulkRow, RefusedRow } from './bulk-rows.ts'
import { type Checked, rowsOf } from './bulk-work.ts'
import '../../components/charts/data.css'
import { TableFrame } from '../../components/table.tsx'

/** Enough to see how the list was read. More rows would block the browser. */
const ROWS_SHOWN_MAX = 100

/** Which lines are refused and why, and what the others become. */
export function BulkReport({ checked }: { checked: Checked }) {
  const { refused, parts, created } = checked
  return (
    <div className="stack" aria-live="polite">
      {refused.length > 0 && (
        <>
          <Notice tone="warn">
            <strong>{bulkStrings.refused(fullNumber(refused.length))}.</strong>{' '}
            {created.length === 0 && `${bulkStrings.nothingYet} `}
            {bulkStrings.refusedHint}
          </Notice>
          <RefusedTable rows={refused} />
        </>
      )}
      <Notice>{bulkStrings.ready(fullNumber(rowsOf(checked)))}</Notice>
      {parts.length > 0 && <ReadyTable rows={parts.flatMap(({ rows }) => rows)} />}
    </div>
  )
}

const RefusedTable = ({ rows }: { rows: readonly RefusedRow[] }) => (
  <TableFrame
    isCard
    label={bulkStrings.refused(fullNumber(rows.length))}
    heads={[bulkStrings.row, bulkStrings.url, bulkStrings.reason]}
  >
    {rows.map(({ line, link, reasons }) => (
      <tr key={line}>
        <td>{fullNumber(line)}</td>
        <td>
          <span className="code">{link.original_url}</span>
        </td>
        <td>{reasons.join(' ')}</td>
      </tr>
    ))}
  </TableFrame>
)

function ReadyTable({ rows }: { rows: readonly BulkRow[] }) {
  const count = fullNumber(rows.length)
  return (
    <>
      <TableFrame
        isCard
        label={bulkStrings.ready(count)}
        heads={[editorStrings.destination, editorStrings.title, bulkStrings.column.code]}
        className="bulk-ready"
      >
        {rows.slice(0, ROWS_SHOWN_MAX).map(({ line, link, hasAddedScheme }) => (
          <tr key={line}>
            <td>{hasAddedScheme ? link.original_url : withoutScheme(link.original_url)}</td>
            <td>{link.title}</td>
            <td>
              {link.custom_code ? (
                <span className="code">{link.custom_code}</span>
              ) : (
                <span className="soft">{bulkStrings.randomCode}</span>
              )}
            </td>
          </tr>
        ))}
      </TableFrame>
      {rows.length > ROWS_SHOWN_MAX && (
        <p className="hint">{bulkStrings.readyShown(fullNumber(ROWS_SHOWN_MAX), count)}</p>
      )}
    </>
  )
}
