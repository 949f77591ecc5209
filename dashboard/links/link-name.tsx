import { Marked } from '../components/pickers/marked.tsx'
import { partsOfShortUrl } from './list/listed-texts.ts'
import {
  Archive,
  Ban,
  CalendarClock,
  CalendarX,
  CirclePause,
  Gauge,
  Hourglass,
  Lock,
  Split,
} from 'lucide-react'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import { calendarDay, exactTime, timeAhead } from '../format.ts'
import { Badge } from '../components/badge.tsx'
import { nowMs } from '../now.ts'
import { strings } from '../strings.ts'

/** The host is de-emphasized, because it is the same for all links. */
export function ShortUrl({ url, search = '' }: { url: string; search?: string }) {
  const [host, code] = partsOfShortUrl(url)
  return (
    <>
      <span className="short-url-host">{host}</span>
      <span className="short-url-code">
        <Marked text={code} search={search} />
      </span>
    </>
  )
}

type LinkStatus = LinkView['status']

/** From so long before its end, an active link says when it ends. */
const ENDING_MS = 14 * 86_400_000

/** What visitors meet. A toggle is shown before the server has answered with the new status. */
export function shownStatus({ status, is_active: isActive }: LinkView): LinkStatus {
  if (status === 'blocked') return status
  if (!isActive) return 'disabled'
  return status === 'disabled' ? 'active' : status
}

/** Rows of such links are gray: they no longer redirect, or are out of the way. */
export const isFaded = (link: LinkView): boolean =>
  link.archived || ['disabled', 'expired'].includes(shownStatus(link))

export const LinkBadges = ({ link }: { link: LinkView }) => (
  <span className="link-badges">
    <StatusBadge link={link} />
    {link.has_password && (
      <Badge tone="outlined" icon={Lock}>
        <span className="badge-word">{strings.links.badges.password}</span>
      </Badge>
    )}
    {link.rules !== null && (
      <Badge tone="outlined" icon={Split}>
        {link.rules.length}
        <span className="badge-word"> {strings.links.badges.rules(link.rules.length)}</span>
      </Badge>
    )}
    {link.archived && <Badge icon={Archive}>{strings.links.badges.archived}</Badge>}
  </span>
)

function StatusBadge({ link }: { link: LinkView }) {
  const { badges } = strings.links
  const { starts_at: starts, expires_at: ends } = link
  switch (shownStatus(link)) {
    case 'blocked':
      return (
        <Badge tone="bad" icon={Ban}>
          {badges.blocked}
        </Badge>
      )
    case 'disabled':
      return <Badge icon={CirclePause}>{badges.disabled}</Badge>
    case 'expired':
      return (
        <Badge icon={CalendarX} title={exactTime(ends!)}>
          {badges.expired(calendarDay(ends!))}
        </Badge>
      )
    case 'limit_reached':
      return (
        <Badge tone="warn" icon={Gauge}>
          {badges.limitReached}
        </Badge>
      )
    case 'scheduled':
      return (
        <Badge tone="data" icon={CalendarClock} title={exactTime(starts!)}>
          {badges.starts(calendarDay(starts!))}
        </Badge>
      )
    case 'active':
      return ends !== null && Date.parse(ends) - nowMs() <= ENDING_MS ? (
        <Badge tone="warn" icon={Hourglass} title={exactTime(ends)}>
          {badges.ends(timeAhead(ends))}
        </Badge>
      ) : null
  }
}
