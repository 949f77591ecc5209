import { ChevronLeft, Pencil, QrCode, Trash2 } from 'lucide-react'
import { Link as RouteLink, useLocation, useSearchParams } from 'wouter'
import { ClickFigures } from '../analytics/click-figures.tsx'
import { rangeQuery, type Range, readRange, writeRange } from '../analytics/range.ts'
import { RangeTools } from '../analytics/range-tools.tsx'
import type { Analytics, Link } from '../api-client.ts'
import { exactTime, relativeTime, safeHref, withoutScheme } from '../format.ts'
import { LinkDialogs, useLinkActions, type LinkActions } from '../links/link-actions.tsx'
import { useLiveClicks } from '../live-clicks.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { CopyButton, CopyText } from '../parts/copy.tsx'
import { LiveBadge } from '../parts/live-badge.tsx'
import { Menu } from '../parts/menu.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { StatTile } from '../parts/stat-tile.tsx'
import { Failed } from '../parts/states.tsx'
import { Switch } from '../parts/switch.tsx'
import { useLink, useLinkAnalytics } from '../queries.ts'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

/** Everything about one link, and everything that can be done with it. */
export default function LinkPage({ code }: { code: string }) {
  useTitle(code)
  const [, navigate] = useLocation()
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const link = useLink(code)
  const clicks = useLinkAnalytics(code, rangeQuery(range))
  const { isLive } = useLiveClicks(code)
  const actions = useLinkActions(() => navigate('/'))
  const setRange = (change: Partial<Range>) => setParameters(writeRange({ ...range, ...change }))
  const error = link.error ?? clicks.error
  if (error !== null && (link.data === undefined || clicks.data === undefined)) {
    return (
      <div className="page">
        <Back />
        <div className="card">
          <Failed
            heading="h1"
            error={error}
            onRetry={() => void Promise.all([link.refetch(), clicks.refetch()])}
          />
        </div>
      </div>
    )
  }
  const analytics = clicks.data?.data
  return (
    <div className="page">
      <div className="stack">
        <Back />
        <LinkHead link={link.data} actions={actions} />
      </div>
      <Tiles analytics={analytics} link={link.data} />
      <RangeTools range={range} onRange={setRange} />
      <ClickFigures
        analytics={analytics}
        range={range}
        onRange={setRange}
        fileName={code}
        tools={<LiveBadge isLive={isLive} />}
      />
      <LinkDialogs actions={actions} />
    </div>
  )
}

const Back = () => (
  <RouteLink href="/" className="back">
    <ChevronLeft size={16} aria-hidden />
    {words.link.back}
  </RouteLink>
)

function LinkHead({ link, actions }: { link: Link | undefined; actions: LinkActions }) {
  if (link === undefined) {
    return (
      <div className="link-head">
        <div className="link-head-texts">
          <h1 aria-busy>
            <Skeleton width={280} height={36} />
          </h1>
          <Skeleton width={360} height={21} />
        </div>
      </div>
    )
  }
  const address = withoutScheme(link.short_url)
  return (
    <header className="link-head">
      <div className="link-head-texts">
        <h1>
          <CopyText text={link.short_url} shown={address} label={words.links.copyAddress(address)} />
          {!link.is_active && <Badge>{words.links.off}</Badge>}
          {link.is_blocked && <Badge tone="bad">{words.links.blocked}</Badge>}
        </h1>
        {link.title !== '' && <p>{link.title}</p>}
        <Destination address={link.original_url} />
      </div>
      <div className="actions">
        <Switch
          label={words.links.switchOf(link.short_code)}
          isOn={link.is_active}
          onSwitch={(isOn) => actions.turn(link, isOn)}
        />
        <CopyButton text={link.short_url} label={words.links.copyAddress(address)} />
        <Button icon={QrCode} onClick={() => actions.open('qr', link)}>
          {words.links.qr}
        </Button>
        <Button icon={Pencil} onClick={() => actions.open('edit', link)}>
          {words.links.edit}
        </Button>
        <Menu
          label={words.links.menuOf(link.short_code)}
          items={[
            { label: words.links.delete, icon: Trash2, isDanger: true, onSelect: () => actions.remove(link) },
          ]}
        />
      </div>
    </header>
  )
}

/** A link only where it is a web address: what was stored by whatever way must not run here. */
function Destination({ address }: { address: string }) {
  const href = safeHref(address)
  return href === undefined ? (
    <span className="destination">{address}</span>
  ) : (
    <a className="destination" href={href} target="_blank" rel="noreferrer">
      {withoutScheme(address)}
    </a>
  )
}

function Tiles({ analytics, link }: { analytics: Analytics | undefined; link: Link | undefined }) {
  const { previous, timeseries, last_clicked_at: last } = analytics ?? {}
  return (
    <div className="tiles">
      <StatTile
        label={words.link.clicks}
        value={analytics?.total_clicks}
        before={previous?.clicks}
        series={timeseries?.map(({ clicks }) => clicks)}
      />
      <StatTile
        label={words.link.visitors}
        value={analytics?.unique_visitors}
        before={previous?.unique_visitors}
        series={timeseries?.map(({ unique_visitors }) => unique_visitors)}
        help={words.link.visitorsHint}
      />
      <StatTile
        label={words.link.today}
        value={analytics && link && (link.clicks_by_day?.at(-1) ?? 0)}
        note={
          analytics && (
            <span title={last ? exactTime(last) : undefined}>
              {last ? `${words.link.last} ${relativeTime(last)}` : words.link.never}
            </span>
          )
        }
      />
      <StatTile
        label={words.link.bots}
        value={analytics?.bot_clicks}
        before={previous?.bot_clicks}
        help={words.link.botsHint}
      />
    </div>
  )
}
