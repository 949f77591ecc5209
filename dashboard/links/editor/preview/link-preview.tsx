import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { DestinationView } from '../../../../src/http/endpoints/browser-types.ts'
import { Badge } from '../../../components/badge.tsx'
import { IconButton } from '../../../components/button.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { hostOf } from '../../../format.ts'
import { RequestFailure, workspaceUrl } from '../../../api/request.ts'
import { destinationStrings as strings } from '../editor-strings.ts'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../../api/api-client.ts'
import { useSettled } from '../../../use-settled.ts'
import { useSignedIn } from '../../../use-session.ts'
import { withScheme } from '../../added-scheme.tsx'

const SETTLED_MS = 400
/** A host name that is still typed has no dot yet. */
const HAS_WHOLE_HOST = /^https?:\/\/(?:[^/?#\s]+\.[^/?#\s]+|\[)/i

/** What the page of a destination answers. Undefined where there is nothing to look at, or nothing to say about it. */
export type LookedAt = {
  url: string
  isLooking: boolean
  /** Null: it could not be looked at. */
  look: DestinationView | null | undefined
  again: () => void
}

/** Looks when typing stops. Parts that ask for the same URL share the answer. */
export function useDestination(typed: string): LookedAt | undefined {
  const { instance } = useSignedIn()
  const url = withScheme(typed)
  const checkedUrl = useSettled(url, SETTLED_MS)
  const isAsked = instance.looks_at_destinations && checkedUrl === url && HAS_WHOLE_HOST.test(url)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['destination', checkedUrl],
    queryFn: async ({ signal }) =>
      (await ask('POST /destinations/look', { input: { url: checkedUrl }, signal })).data,
    enabled: isAsked,
    staleTime: Infinity,
    retry: false,
  })
  // What links may not have is said when the link is saved.
  const isInvalid = error instanceof RequestFailure && error.kind === 'invalid'
  if (!isAsked || isInvalid) return undefined
  return { url, isLooking: isFetching, look: error ? null : data, again: () => void refetch() }
}

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
  const parts = [
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
          {look && <Trouble url={url} look={look} />}
          <span className="cut">{parts.length > 0 ? `${host} · ${strings.found(parts)}` : host}</span>
        </span>
      </div>
    </>
  )
}

export const isReachable = ({ isLooking, look }: LookedAt): boolean =>
  !isLooking && !!look && isAnswered(look) && look.redirects_to === null

const isAnswered = ({ failure, status }: DestinationView): boolean =>
  failure === null && status !== null && status < 400

/** What keeps visitors from the page, or takes them to another one. It has room here, and none in the field. */
function Trouble({ url, look }: { url: string; look: DestinationView }) {
  const { failure, status, redirects_to: target } = look
  if (failure === 'refused') return null
  if (failure !== null) return <Badge tone="bad">{strings.failures[failure]}</Badge>
  if (!isAnswered(look)) return <Badge tone="bad">{strings.notReachable(status)}</Badge>
  if (target === null) return null
  return (
    <Badge tone="data" title={target}>
      <span className="cut">{strings.redirects(placeOf(target, url))}</span>
    </Badge>
  )
}

/** The host, or the path on the same host. */
function placeOf(target: string, from: string): string {
  const { host, pathname, search } = new URL(target)
  return host === new URL(from).host ? pathname + search : host
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
