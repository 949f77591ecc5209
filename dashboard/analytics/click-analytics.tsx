import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import type { AnalyticsMeta, AnalyticsView, ClickPoint } from '../../src/http/endpoints/browser-types.ts'
import { type Bar, Bars } from './bar-list.tsx'
import { DataCard } from '../components/card.tsx'
import { SeriesChart, WorldMap } from '../components/lazy-part.tsx'
import { Tabs } from '../components/tabs.tsx'
import { analyticsStrings } from './analytics-strings.ts'
import { chartStrings } from '../components/charts/chart-strings.ts'
import type { CsvTable } from '../save-file.ts'
import { type Range, rangeQuery, readRange, writeRange, zoomedRange } from './range.ts'
import type { LinkAddress } from '../links/link-address.ts'
import type { LiveState } from './live-clicks.ts'
import { useSearchParams } from 'wouter'
import { hasFailed } from '../components/states.tsx'
import { useAnalytics } from './analytics-queries.ts'
import { RangeLine } from './range-tools.tsx'
import { PanelFailure, StatTiles } from './stat-tiles.tsx'

type ClickAnalyticsProps = {
  /** The link; without it, all of them. */
  link?: LinkAddress
  /** When the destination of the link was changed: the chart marks it. */
  destinationChanges?: readonly string[] | undefined
  onHistory?: () => void
  /** Prefix of the names of downloads. */
  fileName: string
  live: LiveState
  /** Shown below the chart. */
  children?: (clicks: ReturnType<typeof useAnalytics>, range: Range) => ReactNode
  /** Instead of the chart where there are no clicks. */
  none?: ReactNode
}

/** The analytics of one link or of all links. The URL has their range. */
export function ClickAnalytics({ link, fileName, live, children, none, ...changes }: ClickAnalyticsProps) {
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const setRange = (change: Partial<Range>) => setParameters(writeRange({ ...range, ...change }))
  const ofLink = link && { short_code: [link.short_code], domain: [link.domain] }
  const clicks = useAnalytics({ ...rangeQuery(range), ...ofLink })
  const { data: analytics, meta } = clicks.data ?? {}
  const below = children?.(clicks, range)
  const hasNone = analytics?.last_clicked_at === null && analytics.bot_clicks === 0
  return (
    <>
      <RangeLine range={range} onRange={setRange} meta={meta} live={live} />
      {hasFailed(clicks) ? (
        <>
          <PanelFailure title={analyticsStrings.chart} query={clicks} />
          {below}
        </>
      ) : (
        <div className="analytics" aria-busy={clicks.isPlaceholderData}>
          <StatTiles analytics={clicks.data} />
          {hasNone && none ? (
            none
          ) : (
            <Charts
              {...{ analytics, meta, range, fileName, ...changes }}
              isOneLink={link !== undefined}
              onRange={setRange}
            >
              {below}
            </Charts>
          )}
        </div>
      )}
    </>
  )
}

type ChartsProps = Pick<ClickAnalyticsProps, 'destinationChanges' | 'onHistory' | 'fileName'> & {
  /** Undefined while loading. */
  analytics: AnalyticsView | undefined
  meta: AnalyticsMeta | undefined
  /** The chart says when the link was created if that is within the range. */
  isOneLink: boolean
  range: Range
  onRange: (change: Partial<Range>) => void
  children: ReactNode
}

const heads = chartStrings
const PLAIN_RANGE: Partial<Range> = { period: '30d', from: '', to: '' }
/** The card is next to two cards and has space for more. */
const COUNTRIES_SHOWN = 12

function Charts(props: ChartsProps) {
  const { analytics, meta, isOneLink, range, onRange, fileName, children } = props
  // The chart first, then the cards below it: rendered at once they would block a slow phone.
  const step = useSteps(analytics !== undefined, 4)
  const analyticsAt = (which: number) => (step >= which ? analytics : undefined)
  const points = analyticsAt(1)?.timeseries
  /** The ranges to zoom out to. */
  const wider = useRef<Range[]>([])
  const zoom = (first: number, last: number) => {
    if (points === undefined) return
    wider.current.push(range)
    onRange(zoomedRange(points, first, last))
  }
  return (
    <>
      <DataCard
        title={analyticsStrings.chart}
        fileName={`${fileName}-clicks`}
        table={points && seriesTable(points)}
      >
        <SeriesChart
          points={points}
          meta={meta}
          createdAt={isOneLink ? meta?.starts_at_creation : null}
          destinationChanges={props.destinationChanges}
          onHistory={props.onHistory}
          onZoom={zoom}
          {...(range.period === 'own' ? { onUnzoom: () => onRange(wider.current.pop() ?? PLAIN_RANGE) } : {})}
        />
      </DataCard>
      {children}
      <div className="two-columns">
        <Countries analytics={analyticsAt(2)} hasMap={step >= 4} fileName={fileName} />
        <div className="stack">
          <Referrers analytics={analyticsAt(3)} fileName={fileName} />
          <Programs analytics={analyticsAt(3)} fileName={fileName} />
        </div>
      </div>
    </>
  )
}

type PartProps = { analytics: AnalyticsView | undefined; fileName: string }

const seriesTable = (points: ClickPoint[]): CsvTable => ({
  heads: [heads.time, heads.clicks, heads.visitors, heads.bots],
  rows: points.map(({ date, clicks, unique_visitors, bots }) => [date, clicks, unique_visitors, bots]),
})

const barsTable = (head: string, bars: Bar[]): CsvTable => ({
  heads: [head, heads.count, `${heads.share} (%)`],
  rows: bars.map(({ label, clicks, percentage }) => [label, clicks, percentage]),
})

function Countries({ analytics, hasMap, fileName }: PartProps & { hasMap: boolean }) {
  const countries = analytics?.countries
  const bars = countries?.map(({ country, ...counts }) => ({ label: country, ...counts }))
  return (
    <DataCard
      title={analyticsStrings.countries}
      fileName={`${fileName}-countries`}
      table={bars && barsTable(analyticsStrings.country, bars)}
    >
      <div className="stack">
        <WorldMap countries={hasMap ? countries : undefined} />
        <Bars label={analyticsStrings.countries} bars={bars} shown={COUNTRIES_SHOWN} />
        <p className="hint">
          {analyticsStrings.attribution}{' '}
          <a href="https://db-ip.com" rel="noreferrer">
            DB-IP
          </a>
        </p>
      </div>
    </DataCard>
  )
}

function Referrers({ analytics, fileName }: PartProps) {
  const bars = analytics?.referrers.map(({ referrer, ...counts }) => ({
    label: referrer ?? analyticsStrings.direct,
    ...counts,
  }))
  return (
    <DataCard
      title={analyticsStrings.referrers}
      fileName={`${fileName}-referrers`}
      table={bars && barsTable(analyticsStrings.referrer, bars)}
      hasTableView={false}
    >
      <Bars label={analyticsStrings.referrers} bars={bars} />
    </DataCard>
  )
}

function Programs({ analytics, fileName }: PartProps) {
  const browsers = analytics?.browsers.map(({ browser, ...counts }) => ({ label: browser, ...counts }))
  const systems = analytics?.operating_systems.map(({ operating_system, ...counts }) => ({
    label: operating_system,
    ...counts,
  }))
  const devices = analytics?.devices.map(({ device, ...counts }) => ({
    label: analyticsStrings.device[device] ?? device,
    ...counts,
  }))
  const all: [string, Bar[] | undefined][] = [
    [analyticsStrings.browsers, browsers],
    [analyticsStrings.systems, systems],
    [analyticsStrings.devices, devices],
  ]
  const table: CsvTable | undefined = analytics && {
    heads: [analyticsStrings.kind, analyticsStrings.name, heads.count, `${heads.share} (%)`],
    rows: all.flatMap(([kind, bars]) =>
      (bars ?? []).map((bar) => [kind, bar.label, bar.clicks, bar.percentage]),
    ),
  }
  return (
    <DataCard
      title={analyticsStrings.programs}
      fileName={`${fileName}-programs`}
      table={table}
      hasTableView={false}
    >
      <Tabs
        label={analyticsStrings.programs}
        tabs={all.map(([label, bars]) => ({
          id: label,
          label,
          content: (
            <div style={{ paddingTop: 12 }}>
              <Bars label={label} bars={bars} />
            </div>
          ),
        }))}
      />
    </DataCard>
  )
}

const IDLE_MS_MAX = 300

/** Counts from 0 to `last` once `isReady`, one step whenever the browser is idle, so that each step is a short task. */
function useSteps(isReady: boolean, last: number): number {
  const [step, setStep] = useState(0)
  useEffect(() => {
    if (!isReady || step >= last) return
    return whenIdle(() => startTransition(() => setStep(step + 1)))
  }, [isReady, step, last])
  return step
}

/** Safari has no requestIdleCallback. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, 0)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(act, { timeout: IDLE_MS_MAX })
  return () => cancelIdleCallback(request)
}
