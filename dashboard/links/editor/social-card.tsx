import type { DestinationView } from '../../../src/http/dashboard-api/types/link-types.ts'
import { hostOf } from '../../format.ts'
import { InitialBadge } from '../../components/badge.tsx'
import { editorStrings } from '../../strings/editor-strings.ts'
import { withScheme } from '../pasted-url.ts'
import type { LinkForm } from './link-form.ts'
import { usePicture } from './link-preview.tsx'

const { social } = editorStrings

/** `look`: what was found in the page. */
type SocialCardProps = { form: LinkForm; host: string; look?: DestinationView | null | undefined }

/** What chats show. The picture of the page comes from this server. Pictures of other hosts are not loaded: their
 * host stands in their place. */
export function SocialCard({ form, host, look }: SocialCardProps) {
  const picture = usePicture(look?.image_url)
  const { social_title: title, social_description: description, social_image_url: image } = form
  const isOwn = [title, description, image].some((text) => text.trim() !== '')
  const destination = hostOf(withScheme(form.original_url.trim()))
  if (!isOwn) {
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
  return (
    <div className="social-card">
      {image.trim() !== '' && (
        <div className="social-image">
          <span>{social.imageFrom(hostOf(withScheme(image.trim())))}</span>
        </div>
      )}
      <div className="social-texts">
        <span className="hint cut">{host}</span>
        {title.trim() !== '' && <strong>{title}</strong>}
        {description.trim() !== '' && <p>{description}</p>}
      </div>
    </div>
  )
}
