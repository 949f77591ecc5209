import { ChevronLeft, ExternalLink, MousePointerClick, Pencil, QrCode, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link as RouteLink, useLocation, useSearchParams } from 'wouter'
import type { OwnLink } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ClickFigures } from '../analytics/click-figures.tsx'
import { FigureTiles } from '../analytics/figure-tiles.tsx'
import { PanelFailure } from '../analytics/panel-failure.tsx'
import { rangeQuery, type Range, readRange, writeRange } from '../analytics/range.ts'
import { RangeTools } from '../analytics/range-tools.tsx'
import { safeHref, withoutScheme } from '../format.ts'
import { ShortUrl, StateBadge } from '../links/link-name.tsx'
import { LinkDialogs, useLinkActions, type LinkActions } from '../links/link-actions.tsx'
import { useLiveClicks } from '../live-clicks.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { LiveBadge } from '../parts/live-badge.tsx'
import { Menu } from '../parts/menu.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Empty, Failed, NoticeLine } from '../parts/states.tsx'
import { Switch } from '../parts/switch.tsx'
import { useFigures, useLink } from '../queries.ts'
import { useSignedIn } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

/** Everything about one link, and everything that can be done with it. */
export default function LinkPage({ code }: { code: string }) {
  useTitle(code)
  const [, navigate] = useLocation()
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const link = useLink(code)
  const clicks = useFigures({ ...rangeQuery(range), short_code: code })
  const live = useLiveClicks()
  const actions = useLinkActions(() => navigate('/'))
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
        {link.data && <Standing link={link.data} />}
      </div>
      <div className="range-line">
        <RangeTools range={range} onRange={setRange} meta={clicks.data?.meta} />
        <LiveBadge state={live.state} />
      </div>
      <LinkFigures code={code} link={link.data} clicks={clicks} range={range} onRange={setRange} />
      <LinkDialogs actions={actions} />
    </div>
  )
}

type LinkFiguresProps = {
  code: string
  link: OwnLink | undefined
  clicks: ReturnType<typeof useFigures>
  range: Range
  onRange: (change: Partial<Range>) => void
}

function LinkFigures({ code, link, clicks, range, onRange }: LinkFiguresProps) {
  const figures = clicks.data?.data
  if (clicks.error !== null && figures === undefined) {
    return (
      <PanelFailure
        title={laterWords.link.chart}
        error={clicks.error}
        onRetry={() => void clicks.refetch()}
      />
    )
  }
  const hasNone = figures !== undefined && figures.last_clicked_at === null && figures.bot_clicks === 0
  return (
    <div className="figures" aria-busy={clicks.isPlaceholderData}>
      <FigureTiles figures={clicks.data} />
      {hasNone && link ? (
        <NoClicks link={link} />
      ) : (
        <ClickFigures
          figures={figures}
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

/** Why visitors do not get where the link leads. */
const Standing = ({ link }: { link: OwnLink }) =>
  link.is_blocked ? (
    <NoticeLine tone="warn">{laterWords.link.blockedHint}</NoticeLine>
  ) : link.is_active ? null : (
    <NoticeLine>{laterWords.link.offHint}</NoticeLine>
  )

const NoClicks = ({ link }: { link: OwnLink }) => (
  <div className="card">
    <Empty icon={MousePointerClick} title={laterWords.link.emptyTitle} text={laterWords.link.empty}>
      <ButtonLink icon={ExternalLink} href={link.short_url} target="_blank" rel="noreferrer">
        {laterWords.link.open}
      </ButtonLink>
    </Empty>
  </div>
)

const Back = () => (
  <RouteLink href="/" className="back">
    <ChevronLeft size={16} aria-hidden />
    {laterWords.link.back}
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
          <StateBadge link={link} />
        </ShortUrlLine>
        {link.title !== '' && <p>{link.title}</p>}
        <Destination address={link.original_url} />
      </div>
      <div className="actions">
        <Switch
          label={words.links.switchOf(link.short_code)}
          isOn={link.is_active}
          onSwitch={(isOn) => actions.turn(link, isOn)}
        />
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

/** Known before the link itself has come. */
const ShortUrlLine = ({ url, children }: { url: string; children?: ReactNode }) => (
  <div className="link-name">
    <h1>
      <ShortUrl url={url} />
    </h1>
    <CopyButton text={url} label={words.links.copyAddress(withoutScheme(url))} />
    {children}
  </div>
)

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
