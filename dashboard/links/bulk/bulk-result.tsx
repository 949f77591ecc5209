import { Copy, Download } from 'lucide-react'
import type { CreatedLinkView } from '../../../src/http/endpoints/browser-types.ts'
import { downloadCsv } from '../../csv.ts'
import { fullNumber, withoutScheme } from '../../format.ts'
import { Button } from '../../components/button.tsx'
import { useCopyNow } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { bulkStrings } from './bulk-strings.ts'
import { editorStrings } from '../editor/editor-strings.ts'
import '../../components/charts/data.css'
import { TableFrame } from '../../components/table.tsx'

/** More rows would block the browser. The CSV has all. */
const ROWS_SHOWN_MAX = 500

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
        {links.slice(0, ROWS_SHOWN_MAX).map((link) => (
          <tr key={link.id}>
            <td>{withoutScheme(link.short_url)}</td>
            <td className="cut soft" title={link.original_url}>
              {withoutScheme(link.original_url)}
            </td>
          </tr>
        ))}
      </TableFrame>
      {links.length > ROWS_SHOWN_MAX && <p className="hint">{shownOf(fullNumber(ROWS_SHOWN_MAX), count)}</p>}
    </Dialog>
  )
}

const shortUrlOf = ({ short_url }: CreatedLinkView): string => short_url
