import type { OwnLink } from '../../../../src/http/endpoints/browser-types.ts'
import { editorStrings } from '../editor-strings.ts'
import { QrPart } from './qr-part.tsx'
import { hidesDestination, SocialCard } from './social-card.tsx'
import { useDestination } from '../use-destination.ts'
import type { LinkFields } from '../use-link-form.ts'

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
