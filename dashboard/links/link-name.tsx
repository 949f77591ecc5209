import type { ComponentProps, ReactNode } from 'react'
import { Marked } from '../components/pickers/marked.tsx'
import { calendarDay, destinationText, exactTime, hostOf, partsOfShortUrl, timeAhead } from '../format.ts'
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
import { Badge, InitialBadge } from '../components/badge.tsx'
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
  const badge = badgeOf(link)
  return badge && <Badge {...badge} />
}

/** What is to be said of its status, if anything. */
function badgeOf(link: LinkView): ComponentProps<typeof Badge> | undefined {
  const { badges } = strings.links
  const { starts_at: starts, expires_at: ends } = link
  switch (shownStatus(link)) {
    case 'blocked':
      return { tone: 'bad', icon: Ban, children: badges.blocked }
    case 'disabled':
      return { icon: CirclePause, children: badges.disabled }
    case 'expired':
      return { icon: CalendarX, title: exactTime(ends!), children: badges.expired(calendarDay(ends!)) }
    case 'limit_reached':
      return { tone: 'warn', icon: Gauge, children: badges.limitReached }
    case 'scheduled': {
      const children = badges.starts(calendarDay(starts!))
      return { tone: 'data', icon: CalendarClock, title: exactTime(starts!), children }
    }
    case 'active':
      if (ends === null || Date.parse(ends) - nowMs() > ENDING_MS) return undefined
      return { tone: 'warn', icon: Hourglass, title: exactTime(ends), children: badges.ends(timeAhead(ends)) }
  }
}

type LinkCellProps = {
  link: Pick<LinkView, 'title' | 'original_url'>
  /** Is marked. */
  search?: string
  /** Its name, with its badges and tags. */
  children: ReactNode
}

/** A link in a table. */
export const LinkCell = ({ link: { title, original_url: url }, search = '', children }: LinkCellProps) => (
  <div className="link-cell">
    <InitialBadge name={hostOf(url)} />
    <div className="link-texts">
      <div className="link-line">{children}</div>
      <div className="link-under">
        {title !== '' && (
          <span className="link-title cut" title={title}>
            <Marked text={title} search={search} />
          </span>
        )}
        <span className="link-destination cut" title={url}>
          <Marked text={destinationText(url)} search={search} />
        </span>
      </div>
    </div>
  </div>
)
