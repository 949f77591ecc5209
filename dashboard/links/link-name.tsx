import { Ban, CirclePause } from 'lucide-react'
import type { OwnLink } from '../../src/http/dashboard-api/dashboard-types.ts'
import { withoutScheme } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { words } from '../words.ts'

/** The host soft, for it is the same everywhere; the code strong. */
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

/** Why visitors do not arrive, where they do not; the operator's reason outweighs the owner's. */
export function StateBadge({ link }: { link: OwnLink }) {
  if (link.is_blocked)
    return (
      <Badge tone="bad" icon={Ban}>
        {words.links.blocked}
      </Badge>
    )
  return link.is_active ? null : <Badge icon={CirclePause}>{words.links.off}</Badge>
}
