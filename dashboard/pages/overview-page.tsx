import { ChartColumn } from 'lucide-react'
import { Link as RouteLink, useLocation, useSearchParams } from 'wouter'
import type { ClickView, OverviewView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ClickFigures } from '../analytics/click-figures.tsx'
import { FigureTiles } from '../analytics/figure-tiles.tsx'
import { rangeQuery, type Range, readRange, todayQuery, writeRange } from '../analytics/range.ts'
import { RangeTools } from '../analytics/range-tools.tsx'
import { exactTime, fullNumber, shortNumber, timeOfDay } from '../format.ts'
import { latestFirst, useLiveClicks } from '../live-clicks.ts'
import { nowMs } from '../now.ts'
import { Badge, Letter } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { LiveBadge } from '../parts/live-badge.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { useFigures, useOverview } from '../queries.ts'
import { laterWords } from '../later-words.ts'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const ROWS = 6

/** The same picture as of one link, for all of them; and clicks as they come. */
export default function OverviewPage() {
  useTitle(laterWords.overview.title)
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const overview = useOverview()
  const clicks = useFigures(rangeQuery(range))
  const today = useFigures(todayQuery(nowMs()))
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
  const recent = overview.data && latestFirst([...live.recent, ...overview.data.recent_clicks])
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{laterWords.overview.title}</h1>
          <Totals overview={overview.data?.overview} />
        </div>
        <LiveBadge state={live.state} />
      </div>
      {overview.data?.overview.total_links === 0 && overview.data.overview.total_clicks === 0 ? (
        <NoLinks />
      ) : (
        <>
          <RangeTools range={range} onRange={setRange} />
          <FigureTiles figures={clicks.data?.data} today={today.data?.data.total_clicks} />
          <ClickFigures figures={clicks.data?.data} range={range} onRange={setRange} fileName="all-links">
            <div className="two-columns">
              <TopLinks links={overview.data?.top_links} />
              <Recent clicks={recent} arrived={live.recent} />
            </div>
          </ClickFigures>
        </>
      )}
    </div>
  )
}

function Totals({ overview }: { overview: OverviewView['overview'] | undefined }) {
  if (overview === undefined) return <Skeleton width={260} height={18} />
  const { total_clicks: clicks, total_links: links, active_links: active } = overview
  return (
    <p className="soft">
      {laterWords.overview.totals(fullNumber(clicks), fullNumber(links), fullNumber(active))}
    </p>
  )
}

function NoLinks() {
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty icon={ChartColumn} title={laterWords.overview.emptyTitle} text={laterWords.overview.empty}>
        <Button look="primary" onClick={() => navigate('/?do=create')}>
          {words.links.create}
        </Button>
      </Empty>
    </div>
  )
}

function TopLinks({ links }: { links: OverviewView['top_links'] | undefined }) {
  return (
    <Card title={laterWords.overview.top}>
      {links?.length === 0 ? (
        <p className="hint">{laterWords.overview.topEmpty}</p>
      ) : (
        <ol className="recent" aria-busy={links === undefined}>
          {links === undefined
            ? skeletonRows
            : links.slice(0, ROWS).map(({ id, short_code: code, title, click_count: count }) => (
                <li key={id}>
                  <Letter name={title || code} shape="round" />
                  <span className="cut">
                    <RouteLink href={`/links/${code}`}>{code}</RouteLink>{' '}
                    <span className="soft">{title}</span>
                  </span>
                  <strong title={fullNumber(count)}>{shortNumber(count)}</strong>
                </li>
              ))}
        </ol>
      )}
    </Card>
  )
}

/** `arrived`: while the page was open. */
function Recent({ clicks, arrived }: { clicks: ClickView[] | undefined; arrived: ClickView[] }) {
  const newIds = new Set(arrived.map(({ id }) => id))
  return (
    <Card title={laterWords.overview.recent}>
      {clicks?.length === 0 ? (
        <p className="hint">{laterWords.overview.recentEmpty}</p>
      ) : (
        <ol className="recent" aria-busy={clicks === undefined}>
          {clicks === undefined
            ? skeletonRows
            : clicks
                .slice(0, ROWS)
                .map((click) => <RecentClick key={click.id} click={click} isNew={newIds.has(click.id)} />)}
        </ol>
      )}
    </Card>
  )
}

const RecentClick = ({ click, isNew }: { click: ClickView; isNew: boolean }) => (
  <li className={isNew ? 'is-new' : undefined}>
    <time className="soft" dateTime={click.clicked_at} title={exactTime(click.clicked_at)}>
      {timeOfDay(click.clicked_at)}
    </time>
    <span className="cut">
      {click.short_code === null ? (
        laterWords.overview.gone
      ) : (
        <RouteLink href={`/links/${click.short_code}`}>{click.short_code}</RouteLink>
      )}{' '}
      {!click.is_bot && (
        <span className="soft">
          {[click.country, click.browser, click.referrer ?? laterWords.link.direct].join(' · ')}
        </span>
      )}
    </span>
    {click.is_bot ? <Badge>{laterWords.overview.bot}</Badge> : <span />}
  </li>
)

const skeletonRows = Array.from({ length: ROWS }, (_, at) => (
  <li key={at}>
    <Skeleton width={28} height={16} />
    <Skeleton width={180} height={16} />
    <Skeleton width={40} height={16} />
  </li>
))
