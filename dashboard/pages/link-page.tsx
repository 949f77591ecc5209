import { ChevronLeft, ExternalLink, MousePointerClick, Pencil, QrCode, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link as RouteLink, useLocation, useSearchParams } from 'wouter'
import type { OwnLink } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ClickAnalytics } from '../analytics/click-analytics.tsx'
import { StatTiles } from '../analytics/stat-tiles.tsx'
import { PanelFailure } from '../analytics/panel-failure.tsx'
import { rangeQuery, type Range, readRange, writeRange } from '../analytics/range.ts'
import { RangeTools } from '../analytics/range-tools.tsx'
import { safeHref, withoutScheme } from '../format.ts'
import { LinkBadges } from '../links/link-badges.tsx'
import { ShortUrl } from '../links/link-name.tsx'
import { LinkStanding } from '../links/link-standing.tsx'
import { LinkDialogs, useLinkActions, type LinkActions } from '../links/link-actions.tsx'
import { useLiveClicks } from '../live-clicks.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { CopyButton } from '../components/copy.tsx'
import { LiveBadge } from '../components/live-badge.tsx'
import { Menu } from '../components/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Empty, Failed } from '../components/states.tsx'
import { Switch } from '../components/switch.tsx'
import { useAnalytics, useLink } from '../queries.ts'
import { useShortcuts } from '../shortcuts.ts'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { strings } from '../strings/strings.ts'
import { useTitle } from './use-title.ts'

export default function LinkPage({ code }: { code: string }) {
  useTitle(code)
  const [, navigate] = useLocation()
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const link = useLink(code)
  const clicks = useAnalytics({ ...rangeQuery(range), short_code: code })
  const live = useLiveClicks()
  const actions = useLinkActions(() => navigate('/'))
  useShortcuts({ e: () => link.data && actions.open('edit', link.data) })
  const setRange = (change: Partial<Range>) => setParameters(writeRange({ ...range, ...change }))
  if (link.error !== null && link.data === undefined) {
    return (
      <div className="page">
        <Back />
        <div className="card">
          <Failed heading="h1" error={link.error} onRetry={() => void link.refetch()} />
        </div>
      </div>
    )
  }
  return (
    <div className="page">
      <div className="stack">
        <Back />
        <LinkHead code={code} link={link.data} actions={actions} />
        {link.data && <LinkStanding link={link.data} actions={actions} />}
      </div>
      <div className="range-line">
        <RangeTools range={range} onRange={setRange} meta={clicks.data?.meta} />
        <LiveBadge state={live.state} />
      </div>
      <LinkAnalytics code={code} link={link.data} clicks={clicks} range={range} onRange={setRange} />
      <LinkDialogs actions={actions} />
    </div>
  )
}

type LinkAnalyticsProps = {
  code: string
  link: OwnLink | undefined
  clicks: ReturnType<typeof useAnalytics>
  range: Range
  onRange: (change: Partial<Range>) => void
}

function LinkAnalytics({ code, link, clicks, range, onRange }: LinkAnalyticsProps) {
  const analytics = clicks.data?.data
  if (clicks.error !== null && analytics === undefined) {
    return (
      <PanelFailure
        title={lazyStrings.link.chart}
        error={clicks.error}
        onRetry={() => void clicks.refetch()}
      />
    )
  }
  const hasNone = analytics !== undefined && analytics.last_clicked_at === null && analytics.bot_clicks === 0
  return (
    <div className="analytics" aria-busy={clicks.isPlaceholderData}>
      <StatTiles analytics={clicks.data} />
      {hasNone && link ? (
        <NoClicks link={link} />
      ) : (
        <ClickAnalytics
          analytics={analytics}
          meta={clicks.data?.meta}
          isOneLink
          range={range}
          onRange={onRange}
          fileName={code}
        />
      )}
    </div>
  )
}

const NoClicks = ({ link }: { link: OwnLink }) => (
  <div className="card">
    <Empty icon={MousePointerClick} title={lazyStrings.link.emptyTitle} text={lazyStrings.link.empty}>
      <ButtonLink icon={ExternalLink} href={link.short_url} target="_blank" rel="noreferrer">
        {lazyStrings.link.open}
      </ButtonLink>
    </Empty>
  </div>
)

const Back = () => (
  <RouteLink href="/" className="back">
    <ChevronLeft size={16} aria-hidden />
    {lazyStrings.link.back}
  </RouteLink>
)

type LinkHeadProps = { code: string; link: OwnLink | undefined; actions: LinkActions }

function LinkHead({ code, link, actions }: LinkHeadProps) {
  const { instance } = useSignedIn()
  if (link === undefined) {
    return (
      <header className="link-head" aria-busy>
        <div className="link-head-texts">
          <ShortUrlLine url={`${instance.base_url}/${code}`} />
          <p>
            <Skeleton width={240} height={14} />
          </p>
          <span className="destination">
            <Skeleton width={280} height={14} />
          </span>
        </div>
        <div className="actions" aria-hidden>
          <Skeleton width={260} height={36} />
        </div>
      </header>
    )
  }
  return (
    <header className="link-head">
      <div className="link-head-texts">
        <ShortUrlLine url={link.short_url}>
          <LinkBadges link={link} />
        </ShortUrlLine>
        {link.title !== '' && <p>{link.title}</p>}
        <Destination url={link.original_url} />
      </div>
      <div className="actions">
        <Switch
          label={strings.links.switchOf(link.short_code)}
          isOn={link.is_active}
          onSwitch={(isOn) => actions.turn(link, isOn)}
        />
        <Button icon={QrCode} onClick={() => actions.open('qr', link)}>
          {strings.links.qr}
        </Button>
        <Button icon={Pencil} onClick={() => actions.open('edit', link)}>
          {strings.links.edit}
        </Button>
        <Menu
          label={strings.links.menuOf(link.short_code)}
          items={[
            {
              label: strings.links.delete,
              icon: Trash2,
              isDanger: true,
              onSelect: () => actions.remove(link),
            },
          ]}
        />
      </div>
    </header>
  )
}

/** Rendered before the link has loaded. */
const ShortUrlLine = ({ url, children }: { url: string; children?: ReactNode }) => (
  <div className="link-name">
    <h1>
      <ShortUrl url={url} />
    </h1>
    <CopyButton text={url} label={strings.links.copyUrl(withoutScheme(url))} />
    {children}
  </div>
)

/** A link only if it is an http or https URL: a `javascript:` URL must not run here, however it was stored. */
function Destination({ url }: { url: string }) {
  const href = safeHref(url)
  return href === undefined ? (
    <span className="destination">{url}</span>
  ) : (
    <a className="destination" href={href} target="_blank" rel="noreferrer">
      {withoutScheme(url)}
    </a>
  )
}
