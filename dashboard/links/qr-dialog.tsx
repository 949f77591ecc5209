import type { LinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { withoutScheme } from '../format.ts'
import { Dialog } from '../components/dialog.tsx'
import { QrPanel } from '../components/qr-panel.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'

export default function QrDialog({ link, onClose }: { link: LinkView; onClose: () => void }) {
  return (
    <Dialog
      title={`${lazyStrings.qr.title} · ${withoutScheme(link.short_url)}`}
      width="wide"
      onClose={onClose}
    >
      <QrPanel code={link.short_code} url={link.short_url} />
    </Dialog>
  )
}
