import type { DestinationView } from '../../../../src/http/endpoints/browser-types.ts'
import { hostOf, withoutScheme } from '../../../format.ts'
import { InitialBadge } from '../../../components/badge.tsx'
import { editorStrings } from '../editor-strings.ts'
import { withScheme } from '../../pasted-url.ts'
import type { LinkForm } from '../link-form.ts'
import { usePicture } from './link-preview.tsx'

const { social } = editorStrings

type SocialCardProps = {
  form: LinkForm
  shortUrl: string
  /** What was found in the page. */
  look?: DestinationView | null | undefined
}

/** What chats show: that of the page, unless the link has its own or must not tell where it leads. */
export const SocialCard = (props: SocialCardProps) =>
  hasOwnCard(props.form) || hidesDestination(props.form) ? <LinkCard {...props} /> : <PageCard {...props} />

const hasOwnCard = (form: LinkForm): boolean =>
  [form.social_title, form.social_description, form.social_image_url].some((text) => text.trim() !== '')

/** Previews are not told where such a link leads. */
export const hidesDestination = ({ password, max_clicks: limit }: LinkForm): boolean =>
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
