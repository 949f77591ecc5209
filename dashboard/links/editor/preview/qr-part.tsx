import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { LinkView, WorkspaceSettings } from '../../../../src/http/endpoints/browser-types.ts'
import { Button } from '../../../components/button.tsx'
import { OutsideForm } from '../../../components/fields/outside-form.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { qrFileName } from '../../../qr/qr-file-name.ts'
import { linkOptions } from '../../../queries.ts'
import { qrStrings as texts } from '../../../qr/qr-strings.ts'
import { useWorkspaceSettings } from '../../../use-settings.ts'
import { editing } from '../../../chunks/chunks.ts'

/** Of the picture to download, in pixels. */
const SIZE = 1024

/** The QR code of the link, in its style. */
export function QrPart({ link: opened }: { link: LinkView }) {
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const { short_code, domain } = opened
  // The designer changes the style of the link while the editor keeps the one that it was opened for.
  const now = useQuery({ ...linkOptions({ short_code, domain }), enabled: wasOpen })
  const link = now.data ?? opened
  const settings = useWorkspaceSettings()
  // The style may be saved in the designer: `as_of` only tells the browser that there may be another picture.
  const query = `format=svg&style=link&domain=${link.domain}&as_of=${settings.dataUpdatedAt}`
  const url = `/qr/${encodeURIComponent(link.short_code)}?${query}`
  return (
    <section className="panel-qr">
      <div className="panel-qr-picture">
        {!settings.isPending && <img src={url} alt={texts.of(link.short_url)} width={94} height={94} />}
      </div>
      <div className="panel-qr-texts">
        <h3>{texts.title}</h3>
        <p className="hint">{styleName(link, settings.data)}</p>
        <div className="actions">
          <Button
            size="small"
            onClick={() => {
              setOpen(true)
              setWasOpen(true)
            }}
          >
            {texts.customize}
          </Button>
          <Tooltip text={texts.download}>
            <a
              className="button is-quiet is-icon"
              href={`${url}&size=${SIZE}`}
              download={qrFileName(link, 'svg')}
              aria-label={texts.download}
            >
              <Download size={17} aria-hidden />
            </a>
          </Tooltip>
        </div>
      </div>
      {isOpen && (
        <OutsideForm>
          <Suspense>
            <editing.QrDialog link={link} onClose={() => setOpen(false)} />
          </Suspense>
        </OutsideForm>
      )}
    </section>
  )
}

function styleName(link: LinkView, settings: WorkspaceSettings | undefined): string {
  if (link.qr_style !== null) return texts.bases.link
  const style = settings?.qr_style ?? null
  if (style === null) return texts.plainStyle
  return style.logo === null ? texts.bases.workspace : texts.withLogo
}
