import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { DestinationView } from '../../../src/http/dashboard-api/types/link-types.ts'
import { IconButton } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { hostOf } from '../../format.ts'
import { workspaceUrl } from '../../request.ts'
import { destinationStrings as strings } from '../../strings/destination-strings.ts'
import type { LookedAt } from './use-destination.ts'

/** The page that a link leads to. What the page says is somebody else's: shown as text, in a direction of its own. */
export function LinkPreview({ looked: { url, look, isLooking, again } }: { looked: LookedAt }) {
  return (
    <div className="link-preview" aria-busy={isLooking}>
      {look === undefined ? <Waiting /> : <Page key={url} url={url} look={look} />}
      <IconButton label={strings.again} icon={RefreshCw} onClick={again} aria-disabled={isLooking} />
    </div>
  )
}

const Waiting = () => (
  <div className="page-texts" role="status" aria-label={strings.looking}>
    <Skeleton width="70%" height={15} />
    <Skeleton width="40%" height={13} />
  </div>
)

function Page({ url, look }: { url: string; look: DestinationView | null }) {
  const image = usePicture(look?.image_url)
  const icon = usePicture(look?.icon_url)
  const found = [
    look?.title && strings.parts.title,
    icon.isShown && strings.parts.icon,
    image.isShown && strings.parts.image,
  ].filter((name) => typeof name === 'string')
  const host = hostOf(look?.redirects_to ?? url)
  return (
    <>
      {image.props && <img {...image.props} className="page-image" width={64} height={43} />}
      <div className="page-texts">
        <strong className="cut" dir="auto">
          {headingOf(look)}
        </strong>
        <span className="page-source hint">
          {icon.props && <img {...icon.props} width={16} height={16} />}
          <span className="cut">{found.length > 0 ? `${host} · ${strings.found(found)}` : host}</span>
        </span>
      </div>
    </>
  )
}

function headingOf(look: DestinationView | null): string {
  if (look === null || look.failure !== null) return strings.notLookedAt
  return look.title ?? strings.noTitle
}

/** Pictures come from this server, which may find that one is none. */
export function usePicture(url: string | null | undefined) {
  const [loaded, setLoaded] = useState<{ url: string; isShown: boolean }>()
  if (!url) return { isShown: false, props: undefined }
  const current = loaded?.url === url ? loaded : undefined
  const props = {
    src: workspaceUrl('/destinations/picture', { url }),
    alt: '',
    onLoad: () => setLoaded({ url, isShown: true }),
    onError: () => setLoaded({ url, isShown: false }),
  }
  return { isShown: current?.isShown === true, props: current?.isShown === false ? undefined : props }
}
