import { hostOf } from '../../format.ts'
import { InitialBadge } from '../../components/badge.tsx'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import { withScheme } from '../pasted-url.ts'
import type { LinkForm } from './link-form.ts'

const { social } = lazyStrings.editor

type SocialCardProps = { form: LinkForm; host: string }

/** What chats show. Pictures of other hosts are not loaded: their host stands in their place. */
export function SocialCard({ form, host }: SocialCardProps) {
  const { social_title: title, social_description: description, social_image_url: image } = form
  const isOwn = [title, description, image].some((text) => text.trim() !== '')
  const destination = hostOf(withScheme(form.original_url.trim()))
  if (!isOwn) {
    return (
      <div className="social-card">
        <div className="social-image">
          {destination !== '' && <InitialBadge name={destination} />}
          <span>{social.unknownImage}</span>
        </div>
        <div className="social-texts">
          <span className="hint cut">{destination || social.noDestination}</span>
          <strong>{form.title || social.unknownTitle}</strong>
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
