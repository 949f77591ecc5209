import { ChartColumn } from 'lucide-react'
import { Link as RouteLink, useLocation, useSearchParams } from 'wouter'
import type {
  AnalyticsMeta,
  AnalyticsQuery,
  AnalyticsView,
  ClickView,
  OverviewView,
  RangeLinkView,
} from '../../src/http/endpoints/browser-types.ts'
import { ClickAnalytics } from './click-analytics.tsx'
import { ChangeMark, comparedHint, PanelFailure } from './stat-tiles.tsx'
import { fullNumber, shortNumber, timeOfDay } from '../format.ts'
import { latestFirst, type Live, useLiveClicks } from './live-clicks.ts'
import { Button } from '../components/button.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Empty, hasFailed } from '../components/states.tsx'
import { useAnalytics, useOverview, useTopLinks } from './analytics-queries.ts'
import { analyticsStrings, overviewStrings } from './analytics-strings.ts'
import { strings } from '../strings.ts'
import { Page } from '../components/page.tsx'
import { Badge } from '../components/badge.tsx'
import { Card } from '../components/card.tsx'
import { pageOf } from '../links/link-address.ts'
import '../components/charts/data.css'
import { Time } from '../components/time.tsx'
import { BarList } from './bar-list.tsx'

export default function OverviewPage() {
  const overview = useOverview()
  const live = useLiveClicks()
  const totals = overview.data?.overview
  return (
    <Page title={overviewStrings.title} action={overview.error === null && <Totals overview={totals} />}>
      {totals?.total_links === 0 && totals.total_clicks === 0 ? (
        <NoLinks />
      ) : (
        <ClickAnalytics fileName="all-links" live={live.state}>
          {(clicks, query) => (
            // Each panel shows its own error.
            <div className="two-columns">
              <TopPanel query={query} clicks={clicks} />
              <LivePanel overview={overview} live={live} />
            </div>
          )}
        </ClickAnalytics>
      )}
    </Page>
  )
}

type Overview = { overview: ReturnType<typeof useOverview>; live: Live }

type TopPanelProps = { query: AnalyticsQuery; clicks: ReturnType<typeof useAnalytics> }

function TopPanel({ query, clicks }: TopPanelProps) {
  const top = useTopLinks(query)
  const [parameters] = useSearchParams()
  const { data: analytics, meta } = clicks.data ?? {}
  const search = parameters.toString()
  if (hasFailed(top)) return <PanelFailure title={overviewStrings.top} query={top} />
  return (
    <TopLinks
      links={top.data}
      analytics={meta && { meta, comparison: analytics?.comparison ?? null }}
      search={search === '' ? '' : `?${search}`}
    />
  )
}

function LivePanel({ overview, live }: Overview) {
  if (hasFailed(overview)) return <PanelFailure title={overviewStrings.recent} query={overview} />
  const recent = overview.data && latestFirst([...live.recent, ...overview.data.recent_clicks])
  return <LiveList clicks={recent} arrived={live.recent} />
}

function Totals({ overview }: { overview: OverviewView['overview'] | undefined }) {
  if (overview === undefined) {
    return (
      <p className="soft">
        <Skeleton width={300} height={14} />
      </p>
    )
  }
  const { total_clicks: clicks, total_links: links, active_links: active } = overview
  return (
    <p className="soft">
      {overviewStrings.totals(fullNumber(clicks), fullNumber(links), fullNumber(active))}
    </p>
  )
}

function NoLinks() {
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty icon={ChartColumn} title={overviewStrings.emptyTitle} text={overviewStrings.empty}>
        <Button variant="primary" onClick={() => navigate('/?do=create')}>
          {strings.links.create}
        </Button>
      </Empty>
    </div>
  )
}

const ROWS = 8

type LiveListProps = {
  /** Latest first. Undefined while loading. */
  clicks: ClickView[] | undefined
  /** Clicks that arrived while the page was open. */
  arrived: ClickView[]
}

function LiveList({ clicks, arrived }: LiveListProps) {
  const newIds = new Set(arrived.map(({ id }) => id))
  return (
    <Card title={overviewStrings.recent}>
      {clicks?.length === 0 ? (
        <p className="hint">{overviewStrings.recentEmpty}</p>
      ) : (
        <ol className="recent" aria-busy={clicks === undefined}>
          {clicks === undefined
            ? skeletonRows
            : clicks
                .slice(0, ROWS)
                .map((click) => <LiveClick key={click.id} click={click} isNew={newIds.has(click.id)} />)}
        </ol>
      )}
    </Card>
  )
}

const LiveClick = ({ click, isNew }: { click: ClickView; isNew: boolean }) => (
  <li className={isNew ? 'is-new' : undefined}>
    <Time at={click.clicked_at}>{timeOfDay(click.clicked_at)}</Time>
    <span className="cut">
      {click.short_code === null || click.domain === null ? (
        overviewStrings.gone
      ) : (
        <RouteLink href={pageOf({ short_code: click.short_code, domain: click.domain })}>
          {click.short_code}
        </RouteLink>
      )}{' '}
      {!click.is_bot && (
        <span className="soft">
          {[click.country, click.browser, click.referrer ?? analyticsStrings.direct].join(' · ')}
        </span>
      )}
    </span>
    {click.is_bot ? <Badge>{overviewStrings.bot}</Badge> : <span />}
  </li>
)

const skeletonRows = Array.from({ length: ROWS }, (_, at) => (
  <li key={at}>
    <Skeleton width={28} height={16} />
    <Skeleton width={180} height={16} />
    <Skeleton width={40} height={16} />
  </li>
))

type TopLinksProps = {
  /** Undefined while loading. */
  links: RangeLinkView[] | undefined
  analytics: { meta: AnalyticsMeta; comparison: AnalyticsView['comparison'] } | undefined
  /** The page's query string, so that a link's page opens with the same range. */
  search: string
}

function TopLinks({ links, analytics, search }: TopLinksProps) {
  const { top: title, topEmpty } = overviewStrings
  const hint = analytics?.comparison ? comparedHint(analytics.meta, analytics.comparison) : ''
  if (links === undefined || links.length === 0) {
    return (
      <Card title={title}>
        {links === undefined ? (
          <BarList label={title} bars={undefined} />
        ) : (
          <p className="hint">{topEmpty}</p>
        )}
      </Card>
    )
  }
  return (
    <Card title={title}>
      <ol className="bars top-links" aria-label={title}>
        {links.map((link) => (
          <TopLink key={link.id} link={link} most={links[0]!.clicks} hint={hint} search={search} />
        ))}
      </ol>
    </Card>
  )
}

type TopLinkProps = { link: RangeLinkView; most: number; hint: string; search: string }

const TopLink = ({ link, most, hint, search }: TopLinkProps) => (
  <li>
    <span className="bar" style={{ width: `${(link.clicks / most) * 100}%` }} />
    <span className="cut" title={link.title || link.short_code}>
      <RouteLink href={pageOf(link) + search}>{link.short_code}</RouteLink>{' '}
      <span className="soft">{link.title}</span>
    </span>
    <span className="count" title={fullNumber(link.clicks)}>
      {shortNumber(link.clicks)}
    </span>
    <span className="share">{link.comparison && <ChangeMark compared={link.comparison} hint={hint} />}</span>
  </li>
)
