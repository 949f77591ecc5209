import { ChartColumn } from 'lucide-react'
import { Link as RouteLink, useLocation, useSearchParams } from 'wouter'
import { ClickFigures } from '../analytics/click-figures.tsx'
import { rangeQuery, type Range, readRange, writeRange } from '../analytics/range.ts'
import { RangeTools } from '../analytics/range-tools.tsx'
import type { Overview } from '../api-client.ts'
import { fullNumber, shortNumber, timeOfDay } from '../format.ts'
import { type LiveState, useLiveClicks } from '../live-clicks.ts'
import { Badge, Letter } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { LiveBadge } from '../parts/live-badge.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { StatTile } from '../parts/stat-tile.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { useAnalytics, useOverview } from '../queries.ts'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const TOP_ROWS = 5

/** The same picture as of one link, for all of them; and clicks as they come. */
export default function OverviewPage() {
  useTitle(words.overview.title)
  const [parameters, setParameters] = useSearchParams()
  const [, navigate] = useLocation()
  const range = readRange(parameters)
  const overview = useOverview()
  const clicks = useAnalytics(rangeQuery(range))
  const live = useLiveClicks()
  const setRange = (change: Partial<Range>) => setParameters(writeRange({ ...range, ...change }))
  const error = overview.error ?? clicks.error
  if (error !== null && (overview.data === undefined || clicks.data === undefined)) {
    return (
      <div className="card">
        <Failed
          heading="h1"
          error={error}
          onRetry={() => void Promise.all([overview.refetch(), clicks.refetch()])}
        />
      </div>
    )
  }
  const figures = overview.data?.overview
  const analytics = clicks.data?.data
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.overview.title}</h1>
        <LiveBadge isLive={live.isLive} />
      </div>
      <div className="tiles">
        <StatTile
          label={words.overview.totalClicks}
          value={figures?.total_clicks}
          series={analytics?.timeseries.map((point) => point.clicks)}
        />
        <StatTile label={words.overview.today} value={figures?.clicks_today} />
        <StatTile label={words.overview.activeLinks} value={figures?.active_links} />
        <StatTile label={words.overview.totalLinks} value={figures?.total_links} />
      </div>
      {figures?.total_links === 0 ? (
        <div className="card">
          <Empty icon={ChartColumn} title={words.overview.emptyTitle} text={words.overview.empty}>
            <Button look="primary" onClick={() => navigate('/?do=create')}>
              {words.links.create}
            </Button>
          </Empty>
        </div>
      ) : (
        <>
          <div className="two-columns">
            <TopLinks links={overview.data?.top_links} />
            <Recent live={live} />
          </div>
          <RangeTools range={range} onRange={setRange} />
          <ClickFigures
            analytics={analytics}
            range={range}
            onRange={setRange}
            fileName="all-links"
            tools={null}
          />
        </>
      )}
    </div>
  )
}

function TopLinks({ links }: { links: Overview['top_links'] | undefined }) {
  return (
    <Card title={words.overview.top}>
      <ol className="recent" aria-busy={links === undefined}>
        {links === undefined
          ? Array.from({ length: TOP_ROWS }, (_, at) => (
              <li key={at}>
                <Skeleton width={24} height={16} />
                <Skeleton width={180} height={16} />
                <Skeleton width={40} height={16} />
              </li>
            ))
          : links.slice(0, TOP_ROWS).map(({ id, short_code: code, title, click_count: count }) => (
              <li key={id}>
                <Letter name={title || code} shape="round" />
                <span className="cut">
                  <RouteLink href={`/links/${code}`}>{code}</RouteLink>{' '}
                  <span className="soft">{title || words.overview.untitled}</span>
                </span>
                <strong title={fullNumber(count)}>{shortNumber(count)}</strong>
              </li>
            ))}
      </ol>
    </Card>
  )
}

function Recent({ live: { recent } }: { live: LiveState }) {
  return (
    <Card title={words.overview.recent}>
      {recent.length === 0 ? (
        <p className="hint">{words.overview.recentEmpty}</p>
      ) : (
        <ol className="recent">
          {recent.slice(0, TOP_ROWS).map((click) => (
            <li key={click.id} className="is-new">
              <time className="soft" dateTime={click.clicked_at}>
                {timeOfDay(click.clicked_at)}
              </time>
              <span className="cut">
                <RouteLink href={`/links/${click.short_code}`}>{click.short_code}</RouteLink>{' '}
                <span className="soft">
                  {[click.country, click.browser, click.referrer].filter(Boolean).join(' · ')}
                </span>
              </span>
              {click.is_bot ? <Badge>{words.overview.bot}</Badge> : <span />}
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
