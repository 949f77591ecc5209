import { ChartColumn } from 'lucide-react'
import { Link as RouteLink, useLocation } from 'wouter'
import type { ClickView, OverviewView } from '../../src/http/endpoints/browser-types.ts'
import { ClickAnalytics } from './click-analytics.tsx'
import { PanelFailure } from './stat-tiles.tsx'
import { TopPanel } from './top-panel.tsx'
import { fullNumber, timeOfDay } from '../format.ts'
import { latestFirst, type Live, useLiveClicks } from './live-clicks.ts'
import { Button } from '../components/button.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Empty, hasFailed } from '../components/states.tsx'
import { useOverview } from './analytics-queries.ts'
import { analyticsStrings, overviewStrings } from './analytics-strings.ts'
import { strings } from '../strings.ts'
import { Page } from '../components/page.tsx'
import { Badge } from '../components/badge.tsx'
import { Card } from '../components/card.tsx'
import { pageOf } from '../links/link-address.ts'
import '../components/charts/data.css'
import { Time } from '../components/time.tsx'

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

/** As the API names it. */
const UNKNOWN_BOT = 'Unknown'

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
      <span className="soft">
        {click.is_bot
          ? click.browser !== UNKNOWN_BOT && click.browser
          : [click.country, click.browser, click.referrer ?? analyticsStrings.direct].join(' · ')}
      </span>
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
