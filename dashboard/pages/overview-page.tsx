import { ChartColumn } from 'lucide-react'
import { useLocation, useSearchParams } from 'wouter'
import type { OverviewView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ClickFigures } from '../analytics/click-figures.tsx'
import { FigureTiles } from '../analytics/figure-tiles.tsx'
import { LiveList } from '../analytics/live-list.tsx'
import { PanelFailure } from '../analytics/panel-failure.tsx'
import { rangeQuery, type Range, readRange, writeRange } from '../analytics/range.ts'
import { RangeTools } from '../analytics/range-tools.tsx'
import { TopLinks } from '../analytics/top-links.tsx'
import { fullNumber } from '../format.ts'
import { latestFirst, type Live, useLiveClicks } from '../live-clicks.ts'
import { Button } from '../parts/button.tsx'
import { LiveBadge } from '../parts/live-badge.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Empty } from '../parts/states.tsx'
import { useFigures, useOverview, useTopLinks } from '../queries.ts'
import { laterWords } from '../later-words.ts'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

/** The same picture as of one link, for all of them; and clicks as they come. */
export default function OverviewPage() {
  useTitle(laterWords.overview.title)
  const overview = useOverview()
  const live = useLiveClicks()
  const counted = overview.data?.overview
  return (
    <div className="page">
      <div className="page-head">
        <h1>{laterWords.overview.title}</h1>
        {overview.error === null && <Totals overview={counted} />}
      </div>
      {counted?.total_links === 0 && counted.total_clicks === 0 ? (
        <NoLinks />
      ) : (
        <OverviewFigures overview={overview} live={live} />
      )}
    </div>
  )
}

type Overview = { overview: ReturnType<typeof useOverview>; live: Live }

/** Each panel fails by itself. */
function OverviewFigures({ overview, live }: Overview) {
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const setRange = (change: Partial<Range>) => setParameters(writeRange({ ...range, ...change }))
  const clicks = useFigures(rangeQuery(range))
  const { data: figures, meta } = clicks.data ?? {}
  const lists = (
    <div className="two-columns">
      <TopPanel range={range} clicks={clicks} />
      <LivePanel overview={overview} live={live} />
    </div>
  )
  return (
    <>
      <div className="range-line">
        <RangeTools range={range} onRange={setRange} meta={meta} />
        <LiveBadge state={live.state} />
      </div>
      {clicks.error !== null && figures === undefined ? (
        <>
          <PanelFailure
            title={laterWords.link.chart}
            error={clicks.error}
            onRetry={() => void clicks.refetch()}
          />
          {lists}
        </>
      ) : (
        <div className="figures" aria-busy={clicks.isPlaceholderData}>
          <FigureTiles figures={clicks.data} />
          <ClickFigures figures={figures} meta={meta} range={range} onRange={setRange} fileName="all-links">
            {lists}
          </ClickFigures>
        </div>
      )}
    </>
  )
}

function TopPanel({ range, clicks }: { range: Range; clicks: ReturnType<typeof useFigures> }) {
  const top = useTopLinks(rangeQuery(range))
  const { data: figures, meta } = clicks.data ?? {}
  const search = writeRange(range).toString()
  if (top.error !== null && top.data === undefined) {
    return (
      <PanelFailure title={laterWords.overview.top} error={top.error} onRetry={() => void top.refetch()} />
    )
  }
  return (
    <TopLinks
      links={top.data}
      figures={meta && { meta, comparedPoints: figures?.comparison?.points ?? 0 }}
      search={search === '' ? '' : `?${search}`}
    />
  )
}

function LivePanel({ overview, live }: Overview) {
  if (overview.error !== null && overview.data === undefined) {
    return (
      <PanelFailure
        title={laterWords.overview.recent}
        error={overview.error}
        onRetry={() => void overview.refetch()}
      />
    )
  }
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
