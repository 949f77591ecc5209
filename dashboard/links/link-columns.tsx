import { ChartColumn, ExternalLink, Pencil, QrCode, Trash2 } from 'lucide-react'
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
import { Badge, Letter } from '../parts/badge.tsx'
import { CopyText } from '../parts/copy.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { Switch } from '../parts/switch.tsx'
import type { Column } from '../parts/table.tsx'
import { words } from '../words.ts'
import type { LinkActions } from './link-actions.tsx'

const DESTINATION_CHARS = 72
const { columns } = words.links

export const linkColumns = (actions: LinkActions): Column<ListedLink>[] => [
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
    id: 'on',
    head: columns.on,
    cell: (link) => (
      <Switch
        label={words.links.switchOf(link.short_code)}
        isOn={link.is_active}
        onSwitch={(isOn) => actions.turn(link, isOn)}
      />
    ),
    skeleton: <Skeleton width={36} height={20} />,
  },
  {
    id: 'menu',
    head: columns.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (link) => <Menu label={words.links.menuOf(link.short_code)} items={menuOf(link, actions)} />,
    skeleton: <Skeleton width={20} height={20} />,
  },
]

const LinkCell = ({ link }: { link: ListedLink }) => (
  <div className="link-cell">
    <Letter name={hostOf(link.original_url)} />
    <div className="link-texts">
      <div className="link-line">
        <CopyText
          text={link.short_url}
          shown={withoutScheme(link.short_url)}
          label={words.links.copyAddress(withoutScheme(link.short_url))}
        />
        {!link.is_active && <Badge>{words.links.off}</Badge>}
        {link.is_blocked && <Badge tone="bad">{words.links.blocked}</Badge>}
      </div>
      <div className="link-under">
        {link.title !== '' && (
          <span className="link-title cut" title={link.title}>
            {link.title}
          </span>
        )}
        <span className="cut" title={link.original_url}>
          {cutMiddle(withoutScheme(link.original_url), DESTINATION_CHARS)}
        </span>
      </div>
    </div>
  </div>
)

/** As the cell itself: a square, a line, a thinner line. */
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

const ClicksCell = ({ link }: { link: ListedLink }) => (
  <RouteLink
    href={`/links/${link.short_code}`}
    className="clicks-cell"
    title={`${words.links.lastDays} · ${fullNumber(link.click_count)}`}
  >
    {/* Without today: it is not over, and would fall off a cliff. */}
    <Sparkline values={link.sparkline.slice(0, -1)} width={88} height={24} />
    <span>{shortNumber(link.click_count)}</span>
    <span className="only-spoken">{words.links.analyticsOf(link.short_code)}</span>
  </RouteLink>
)

const menuOf = (link: ListedLink, actions: LinkActions): MenuItem[] => [
  { label: words.links.analytics, icon: ChartColumn, to: `/links/${link.short_code}` },
  { label: words.links.edit, icon: Pencil, onSelect: () => actions.open('edit', link) },
  { label: words.links.qr, icon: QrCode, onSelect: () => actions.open('qr', link) },
  { label: words.links.open, icon: ExternalLink, href: safeHref(link.original_url) },
  { kind: 'line' },
  { label: words.links.delete, icon: Trash2, isDanger: true, onSelect: () => actions.remove(link) },
]
