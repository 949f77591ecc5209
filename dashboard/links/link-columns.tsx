import { CircleCheck, CirclePause, Copy, ExternalLink, Pencil, QrCode, Trash2 } from 'lucide-react'
import { Link as RouteLink } from 'wouter'
import type { ListedLink } from '../../src/http/dashboard-api/dashboard-types.ts'
import {
  cutMiddle,
  exactTime,
  fullNumber,
  hostOf,
  relativeTime,
  safeHref,
  shortNumber,
  withoutScheme,
} from '../format.ts'
import { InitialBadge } from '../components/badge.tsx'
import { IconButton } from '../components/button.tsx'
import { CopyButton } from '../components/copy.tsx'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import type { Column } from '../components/table.tsx'
import { strings } from '../strings/strings.ts'
import type { LinkActions } from './link-actions.tsx'
import { LinkBadges } from './link-badges.tsx'
import { ShortUrl } from './link-name.tsx'

const DESTINATION_CHARS = 72
const { columns } = strings.links

/** `hasReady`: the most frequent actions are in the row, not only in its menu. */
export const linkColumns = (actions: LinkActions, hasReady: boolean): Column<ListedLink>[] => [
  { id: 'link', head: columns.link, cell: (link) => <LinkCell link={link} />, skeleton: <LinkSkeleton /> },
  {
    id: 'clicks',
    head: columns.clicks,
    isNumber: true,
    cell: (link) => <ClicksCell link={link} />,
    skeleton: <Skeleton width={150} height={24} />,
  },
  {
    id: 'created',
    head: columns.created,
    cell: ({ created_at }) => (
      <time dateTime={created_at} title={exactTime(created_at)} className="soft">
        {relativeTime(created_at)}
      </time>
    ),
    skeleton: <Skeleton width={72} height={14} />,
  },
  {
    id: 'menu',
    head: columns.menu,
    isHeadHidden: true,
    cell: (link) => <RowTools link={link} actions={actions} hasReady={hasReady} />,
    skeleton: null,
  },
]

const LinkCell = ({ link }: { link: ListedLink }) => (
  <div className="link-cell">
    <InitialBadge name={hostOf(link.original_url)} />
    <div className="link-texts">
      <div className="link-line">
        <RouteLink href={`/links/${link.short_code}`} className="row-link cut">
          <ShortUrl url={link.short_url} />
        </RouteLink>
        <LinkBadges link={link} />
      </div>
      <div className="link-under">
        {link.title !== '' && (
          <span className="link-title cut" title={link.title}>
            {link.title}
          </span>
        )}
        <span className="link-destination cut" title={link.original_url}>
          {cutMiddle(withoutScheme(link.original_url), DESTINATION_CHARS)}
        </span>
      </div>
    </div>
  </div>
)

const LinkSkeleton = () => (
  <div className="link-cell">
    <Skeleton width={32} height={32} radius={8} />
    <div className="link-texts">
      <div className="link-line">
        <Skeleton width={168} height={15} />
      </div>
      <Skeleton width={280} height={12} />
    </div>
  </div>
)

const ClicksCell = ({ link: { click_count: clicks, sparkline } }: { link: ListedLink }) => (
  <span className="clicks-cell">
    <span className="clicks-shape" title={strings.links.lastDays}>
      {/* Without today: it is not over, and would fall off a cliff. */}
      <Sparkline values={sparkline.slice(0, -1)} width={88} height={24} />
    </span>
    <span className="clicks-count" title={fullNumber(clicks)}>
      {shortNumber(clicks)}
    </span>
  </span>
)

type RowToolsProps = { link: ListedLink; actions: LinkActions; hasReady: boolean }

/** Shown on hover and focus. The menu has all actions. */
function RowTools({ link, actions, hasReady }: RowToolsProps) {
  const { short_code: code } = link
  return (
    <span className="row-tools">
      {hasReady && (
        <span className="row-tools-ready">
          <CopyButton text={link.short_url} label={strings.links.copyUrl(withoutScheme(link.short_url))} />
          <IconButton
            label={strings.links.qrOf(code)}
            icon={QrCode}
            onClick={() => actions.open('qr', link)}
          />
          <IconButton
            label={strings.links.editOf(code)}
            icon={Pencil}
            onClick={() => actions.open('edit', link)}
          />
        </span>
      )}
      <Menu label={strings.links.menuOf(code)} items={menuOf(link, actions)} />
    </span>
  )
}

const menuOf = (link: ListedLink, actions: LinkActions): MenuItem[] => [
  { label: strings.links.edit, icon: Pencil, onSelect: () => actions.open('edit', link) },
  { label: strings.links.copyShort, icon: Copy, onSelect: () => actions.copy(link) },
  { label: strings.links.qr, icon: QrCode, onSelect: () => actions.open('qr', link) },
  { label: strings.links.open, icon: ExternalLink, href: safeHref(link.original_url) },
  link.is_active
    ? { label: strings.links.disable, icon: CirclePause, onSelect: () => actions.turn(link, false) }
    : { label: strings.links.enable, icon: CircleCheck, onSelect: () => actions.turn(link, true) },
  { kind: 'line' },
  { label: strings.links.delete, icon: Trash2, isDanger: true, onSelect: () => actions.remove(link) },
]
