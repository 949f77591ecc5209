import { type ReactNode, use, useRef } from 'react'
import type {
  AnalyticsMeta,
  AnalyticsQuery,
  AnalyticsView,
  ClickPoint,
} from '../../src/http/endpoints/browser-types.ts'
import { type ClickFilters, filterPairs, ONE_LINK_FILTERS, readFilters } from './analytics-filters.ts'
import { ClickFilterContext } from './filter-context.ts'
import { FilterLine } from './filter-line.tsx'
import { PanelColumns } from './panel-columns.tsx'
import type { Rules } from './rule-names.ts'
import { DataCard } from '../components/card.tsx'
import SeriesChart from '../components/charts/series-chart.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { fullNumber } from '../format.ts'
import { analyticsStrings, importedStrings } from './analytics-strings.ts'
import { chartStrings } from '../components/charts/chart-strings.ts'
import { type Measure, MEASURES } from '../components/charts/measures.ts'
import type { CsvTable } from '../save-file.ts'
import { clicksQuery, PLAIN_RANGE } from './analytics-query.ts'
import { type Range, readRange, writeRange, zoomedRange } from './range.ts'
import type { LinkAddress } from '../links/link-address.ts'
import type { LiveState } from './live-clicks.ts'
import { useSearchParams } from 'wouter'
import { Empty, hasFailed } from '../components/states.tsx'
import { Button } from '../components/button.tsx'
import { ListFilter } from 'lucide-react'
import { useAnalytics } from './analytics-queries.ts'
import { RangeLine } from './range-tools.tsx'
import { PanelFailure, StatTiles } from './stat-tiles.tsx'
import { TopPanel } from './top-panel.tsx'
import { useSteps } from '../use-steps.ts'

type ClickAnalyticsProps = {
  /** The link; without it, all of them. */
  link?: LinkAddress
  /** Those of the link, once it is loaded. */
  rules?: Rules | undefined
  /** When the destination of the link was changed: the chart marks it. */
  destinationChanges?: readonly string[] | undefined
  onHistory?: () => void
  /** Prefix of the names of downloads. */
  fileName: string
  live: LiveState
  /** Shown next to the chart. */
  beside?: ReactNode
  /** Instead of the chart where there are no clicks. */
  none?: ReactNode
}

/** The analytics of one link or of all links. The URL has their range and filters. */
export function ClickAnalytics({ rules, ...props }: ClickAnalyticsProps) {
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const filters = readFilters(parameters, props.link && ONE_LINK_FILTERS)
  const measure = MEASURES.find((name) => name === parameters.get('chart')) ?? 'clicks'
  const show = (next: { range?: Range; filters?: ClickFilters; measure?: Measure }) => {
    const chart = next.measure ?? measure
    setParameters(
      new URLSearchParams([
        ...writeRange(next.range ?? range),
        ...(chart === 'clicks' ? [] : [['chart', chart]]),
        ...filterPairs(next.filters ?? filters),
      ]),
    )
  }
  const onFilters = (next: ClickFilters) => show({ filters: next })
  return (
    <ClickFilterContext value={{ filters, onFilters, rules }}>
      <RangeAnalytics
        {...props}
        range={range}
        onRange={(change) => show({ range: { ...range, ...change } })}
        // Of bots there is nothing to draw under filters.
        measure={measure === 'bots' && filterPairs(filters).length > 0 ? 'clicks' : measure}
        onMeasure={(next) => show({ measure: next })}
      />
    </ClickFilterContext>
  )
}

type RangeAnalyticsProps = Omit<ClickAnalyticsProps, 'rules'> & {
  range: Range
  onRange: (change: Partial<Range>) => void
  measure: Measure
  onMeasure: (measure: Measure) => void
}

function RangeAnalytics({ link, fileName, live, beside, none, range, ...rest }: RangeAnalyticsProps) {
  const { onRange: setRange, onMeasure, ...changes } = rest
  const { filters } = use(ClickFilterContext)
  const plain = clicksQuery(range, link)
  const query = { ...plain, ...filters } as AnalyticsQuery
  const clicks = useAnalytics(query)
  const { data: analytics, meta } = clicks.data ?? {}
  const top = link === undefined && <TopPanel query={query} clicks={clicks} />
  const importedClicks = analytics?.imported?.clicks ?? analytics?.imported_left_out ?? 0
  const hasNone = analytics?.last_clicked_at === null && analytics.bot_clicks === 0 && importedClicks === 0
  const isUnmatched = analytics?.total_clicks === 0 && (analytics.clicks_without_filters ?? 0) > 0
  return (
    <>
      <RangeLine range={range} onRange={setRange} meta={meta} live={live} />
      <FilterLine query={plain} analytics={analytics} fileName={fileName} />
      {analytics && analytics.imported_left_out > 0 && (
        <p className="hint">{importedStrings.leftOut(fullNumber(analytics.imported_left_out))}</p>
      )}
      {hasFailed(clicks) ? (
        <>
          <PanelFailure title={analyticsStrings.chart} query={clicks} />
          {beside}
          {top}
        </>
      ) : (
        <div className="analytics" aria-busy={clicks.isPlaceholderData}>
          <StatTiles analytics={clicks.data} measure={changes.measure} onMeasure={onMeasure} />
          {hasNone && none ? (
            none
          ) : isUnmatched ? (
            <>
              <NoMatch />
              {beside}
            </>
          ) : (
            <Charts
              {...{ analytics, meta, range, query, fileName, beside, top, ...changes }}
              isOneLink={link !== undefined}
              onRange={setRange}
            />
          )}
        </div>
      )}
    </>
  )
}

function NoMatch() {
  const { onFilters } = use(ClickFilterContext)
  return (
    <div className="card">
      <Empty icon={ListFilter} title={analyticsStrings.noMatch} text={analyticsStrings.noMatchHint}>
        <Button onClick={() => onFilters({})}>{analyticsStrings.clearAllFilters}</Button>
      </Empty>
    </div>
  )
}

type ChartsProps = Pick<
  RangeAnalyticsProps,
  'destinationChanges' | 'onHistory' | 'fileName' | 'measure' | 'beside'
> & {
  /** Undefined while loading. */
  analytics: AnalyticsView | undefined
  meta: AnalyticsMeta | undefined
  /** The chart says when the link was created if that is within the range. */
  isOneLink: boolean
  range: Range
  query: AnalyticsQuery
  onRange: (change: Partial<Range>) => void
  /** First of the panels. */
  top: ReactNode
}

const heads = chartStrings

const CHART_HEIGHT = 281

function Charts(props: ChartsProps) {
  const { analytics, meta, isOneLink, range, onRange, fileName, beside } = props
  // The chart first, then the cards below it: rendered at once they would block a slow phone.
  const step = useSteps(analytics !== undefined, 3)
  const { timeseries: points, imported } = analytics ?? {}
  const undated = imported?.undated ?? 0
  /** The ranges to zoom out to. */
  const wider = useRef<Range[]>([])
  const zoom = (first: number, last: number) => {
    if (points === undefined || meta === undefined) return
    wider.current.push(range)
    onRange(zoomedRange({ points, granularity: meta.granularity }, first, last))
  }
  return (
    <>
      <div className={beside === undefined ? undefined : 'chart-and-more'}>
        <DataCard
          title={analyticsStrings.chart}
          fileName={`${fileName}-clicks`}
          table={points && seriesTable(points, imported)}
        >
          {points === undefined ? (
            <Skeleton width="100%" height={CHART_HEIGHT} />
          ) : (
            <SeriesChart
              points={points}
              imported={imported?.series ?? undefined}
              measure={props.measure}
              compare={range.compare === 'off' ? undefined : range.compare}
              meta={meta}
              createdAt={isOneLink ? meta?.starts_at_creation : null}
              destinationChanges={props.destinationChanges}
              onHistory={props.onHistory}
              onZoom={zoom}
              {...(range.period === 'own'
                ? {
                    onUnzoom: () =>
                      onRange(wider.current.pop() ?? { ...PLAIN_RANGE, compare: range.compare }),
                  }
                : {})}
            />
          )}
          {undated > 0 && <p className="hint">{importedStrings.undated(fullNumber(undated))}</p>}
        </DataCard>
        {beside}
      </div>
      <PanelColumns {...props} step={step} />
    </>
  )
}

/** Imported clicks have a column where there are some. */
function seriesTable(points: ClickPoint[], report: AnalyticsView['imported'] | undefined): CsvTable {
  const series = report?.series ?? []
  const imported = series.some(({ clicks }) => clicks > 0) ? series : []
  return {
    heads: [
      heads.time,
      ...MEASURES.map((name) => heads.measures[name]),
      ...(imported.length > 0 ? [heads.imported] : []),
      heads.previousOf(heads.measures.clicks),
    ],
    rows: points.map((point, at) => [
      point.date,
      ...MEASURES.map((name) => point[name]),
      ...(imported.length > 0 ? [imported[at]?.clicks ?? 0] : []),
      point.previous?.clicks ?? '',
    ]),
  }
}
