import type { LinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { withoutScheme } from '../format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { QrPanel } from '../parts/qr-panel.tsx'
import { laterWords } from '../later-words.ts'

export default function QrDialog({ link, onClose }: { link: LinkView; onClose: () => void }) {
  return (
    <Dialog
      title={`${laterWords.qr.title} · ${withoutScheme(link.short_url)}`}
      width="wide"
      onClose={onClose}
    >
      <QrPanel code={link.short_code} address={link.short_url} />
    </Dialog>
  )
}
