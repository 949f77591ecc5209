import { Ban, CirclePause } from 'lucide-react'
import type { OwnLink } from '../../src/http/dashboard-api/dashboard-types.ts'
import { withoutScheme } from '../format.ts'
import { Badge } from '../components/badge.tsx'
import { strings } from '../strings/strings.ts'

/** The host is de-emphasized, because it is the same for all links. */
export function ShortUrl({ url }: { url: string }) {
  const text = withoutScheme(url)
  const codeAt = text.lastIndexOf('/') + 1
  return (
    <>
      <span className="short-url-host">{text.slice(0, codeAt)}</span>
      {text.slice(codeAt)}
    </>
  )
}

/** Why the link does not redirect. A block by the operator takes precedence. */
export function StateBadge({ link }: { link: OwnLink }) {
  if (link.status === 'blocked')
    return (
      <Badge tone="bad" icon={Ban}>
        {strings.links.blocked}
      </Badge>
    )
  return link.is_active ? null : <Badge icon={CirclePause}>{strings.links.off}</Badge>
}
