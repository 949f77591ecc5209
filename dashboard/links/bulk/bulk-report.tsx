import { Notice } from '../../components/states.tsx'
import { fullNumber, withoutScheme, shortUrlText } from '../../format.ts'
import { bulkStrings } from './bulk-strings.ts'
import { editorStrings } from '../editor/editor-strings.ts'
import type { BulkRow, RefusedRow } from './bulk-rows.ts'
import { type Checked, rowsOf } from './bulk-work.ts'
import '../../components/charts/data.css'
import { TableFrame } from '../../components/table.tsx'
import { Copy, Download } from 'lucide-react'
import type { CreatedLinkView } from '../../../src/http/endpoints/browser-types.ts'
import { downloadCsv } from '../../save-file.ts'
import { Button } from '../../components/button.tsx'
import { useCopyNow } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'

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

/** More rows would block the browser. The CSV has all. */
const RESULTS_SHOWN_MAX = 500

type BulkResultProps = { links: readonly CreatedLinkView[]; onClose: () => void }

export function BulkResult({ links, onClose }: BulkResultProps) {
  const { done, copyAll, downloadAll, shortUrl, finish, shownOf } = bulkStrings
  const { destination, title: label } = editorStrings
  const copyNow = useCopyNow()
  const count = fullNumber(links.length)
  const download = () =>
    downloadCsv('short-urls', {
      heads: [shortUrl, destination, label],
      rows: links.map(({ short_url, original_url, title }) => [short_url, original_url, title]),
    })
  return (
    <Dialog
      title={done(count)}
      width="wide"
      onClose={onClose}
      foot={
        <>
          <Button data-first icon={Copy} onClick={() => void copyNow(links.map(shortUrlOf).join('\n'))}>
            {copyAll}
          </Button>
          <Button icon={Download} onClick={download}>
            {downloadAll}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {finish}
          </Button>
        </>
      }
    >
      <TableFrame label={done(count)} heads={[shortUrl, destination]} className="bulk-result" isCard>
        {links.slice(0, RESULTS_SHOWN_MAX).map((link) => (
          <tr key={link.id}>
            <td>{shortUrlText(link.short_url)}</td>
            <td className="cut soft" title={link.original_url}>
              {withoutScheme(link.original_url)}
            </td>
          </tr>
        ))}
      </TableFrame>
      {links.length > RESULTS_SHOWN_MAX && (
        <p className="hint">{shownOf(fullNumber(RESULTS_SHOWN_MAX), count)}</p>
      )}
    </Dialog>
  )
}

const shortUrlOf = ({ short_url }: CreatedLinkView): string => short_url
