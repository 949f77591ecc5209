import type {
  DestinationView,
  LinkView,
  OwnLink,
  WorkspaceSettings,
} from '../../../../src/http/endpoints/browser-types.ts'
import { editorStrings } from '../editor-strings.ts'
import { useDestination, usePicture } from './link-preview.tsx'
import type { LinkFields } from '../use-link-form.ts'
import { hostOf, withoutScheme } from '../../../format.ts'
import { InitialBadge } from '../../../components/badge.tsx'
import { withScheme } from '../../added-scheme.tsx'
import type { LinkForm } from '../link-form.ts'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { OutsideForm } from '../../../components/fields/form.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { qrFileName } from '../../../qr/qr-pictures.ts'
import { linkOptions } from '../../link-queries.ts'
import { qrStrings as texts } from '../../../qr/qr-strings.ts'
import { useWorkspaceSettings } from '../../../workspaces/use-settings.ts'
import { editing } from '../../../chunks/chunks.ts'

const { social } = editorStrings

type PreviewProps = {
  fields: LinkFields
  /** Undefined for a new link, whose code may not be known yet. */
  link: OwnLink | undefined
  shortUrl: string
}

export const PreviewAside = ({ fields, link, shortUrl }: PreviewProps) => (
  <>
    <section className="stack">
      <h3>{social.preview}</h3>
      <PagePreview fields={fields} shortUrl={shortUrl} />
      {hidesDestination(fields.form) && <p className="hint">{social.hidden}</p>}
    </section>
    {link && <QrPart link={link} />}
  </>
)

function PagePreview({ fields: { form }, shortUrl }: Omit<PreviewProps, 'link'>) {
  const looked = useDestination(form.original_url)
  return <SocialCard form={form} shortUrl={shortUrl} look={looked?.look} />
}

type SocialCardProps = {
  form: LinkForm
  shortUrl: string
  /** What was found in the page. */
  look?: DestinationView | null | undefined
}

/** What chats show: that of the page, unless the link has its own or must not tell where it leads. */
const SocialCard = (props: SocialCardProps) =>
  hasOwnCard(props.form) || hidesDestination(props.form) ? <LinkCard {...props} /> : <PageCard {...props} />

const hasOwnCard = (form: LinkForm): boolean =>
  [form.social_title, form.social_description, form.social_image_url].some((text) => text.trim() !== '')

/** Previews are not told where such a link leads. */
const hidesDestination = ({ password, max_clicks: limit }: LinkForm): boolean =>
  password !== null || limit.trim() !== ''

/** The picture of the page comes from this server. */
function PageCard({ form, look }: SocialCardProps) {
  const picture = usePicture(look?.image_url)
  const destination = hostOf(withScheme(form.original_url))
  return (
    <div className="social-card">
      {picture.props ? (
        <img {...picture.props} className="social-picture" />
      ) : (
        <div className="social-image">
          {destination !== '' && <InitialBadge name={destination} />}
          <span>{social.unknownImage}</span>
        </div>
      )}
      <div className="social-texts">
        <span className="hint cut">{destination || social.noDestination}</span>
        <strong dir="auto">{look?.title || form.title || social.unknownTitle}</strong>
        {look?.description && <p dir="auto">{look.description}</p>}
      </div>
    </div>
  )
}

/** As the server writes it. Pictures of other hosts are not loaded: their host stands in their place. */
function LinkCard({ form, shortUrl }: SocialCardProps) {
  const { social_title: title, social_description: description, social_image_url: image } = form
  return (
    <div className="social-card">
      {image.trim() !== '' && (
        <div className="social-image">
          <span>{social.imageFrom(hostOf(withScheme(image)))}</span>
        </div>
      )}
      <div className="social-texts">
        <span className="hint cut">{hostOf(shortUrl)}</span>
        <strong>{title.trim() || withoutScheme(shortUrl)}</strong>
        {description.trim() !== '' && <p>{description}</p>}
      </div>
    </div>
  )
}

/** Of the picture to download, in pixels. */
const SIZE = 1024

/** The QR code of the link, in its style. */
function QrPart({ link: opened }: { link: LinkView }) {
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
