import { type ReactNode, useRef, useState } from 'react'
import type { ClickPoint, FiguresMeta, FiguresView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { fullNumber } from '../format.ts'
import { BarList, type Bar } from '../parts/bar-list.tsx'
import { Button } from '../parts/button.tsx'
import { DataCard } from '../parts/card.tsx'
import { SeriesChart, WorldMap } from '../parts/lazy-part.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { laterWords } from '../later-words.ts'
import type { CsvTable } from '../csv.ts'
import { zoomedRange, type Range } from './range.ts'

type ClickFiguresProps = {
  /** Undefined while they are loading. */
  figures: FiguresView | undefined
  meta: FiguresMeta | undefined
  /** The time that is looked at may begin before the link was created: then the chart says when that was. */
  isOneLink?: boolean
  range: Range
  onRange: (change: Partial<Range>) => void
  /** Begins the names of what is downloaded. */
  fileName: string
  /** Between what happened over time and from where it came. */
  children?: ReactNode
}

const { link: texts } = laterWords
const heads = laterWords.chart
const PLAIN_RANGE: Partial<Range> = { period: '30d', from: '', to: '' }
/** More are shown on request. The countries stand beside two cards. */
const BARS_SHOWN = 8
const COUNTRIES_SHOWN = 12

/** The picture of clicks, the same for one link and for all: over time, from where, with what. */
export function ClickFigures(props: ClickFiguresProps) {
  const { figures, meta, isOneLink = false, range, onRange, fileName, children } = props
  const points = figures?.timeseries
  /** What was zoomed into, step by step. */
  const wider = useRef<Range[]>([])
  const zoom = (first: number, last: number) => {
    if (points === undefined) return
    wider.current.push(range)
    onRange(zoomedRange(points, first, last))
  }
  return (
    <>
      <DataCard title={texts.chart} fileName={`${fileName}-clicks`} table={points && seriesTable(points)}>
        <SeriesChart
          points={points}
          meta={meta}
          createdAt={isOneLink ? meta?.starts_at_creation : null}
          onZoom={zoom}
          {...(range.period === 'own' ? { onUnzoom: () => onRange(wider.current.pop() ?? PLAIN_RANGE) } : {})}
        />
      </DataCard>
      {children}
      <div className="two-columns">
        <Countries figures={figures} fileName={fileName} />
        <div className="stack">
          <Referrers figures={figures} fileName={fileName} />
          <Programs figures={figures} fileName={fileName} />
        </div>
      </div>
    </>
  )
}

type PartProps = { figures: FiguresView | undefined; fileName: string }

const seriesTable = (points: ClickPoint[]): CsvTable => ({
  heads: [heads.time, heads.clicks, heads.visitors, heads.bots],
  rows: points.map(({ date, clicks, unique_visitors, bots }) => [date, clicks, unique_visitors, bots]),
})

const barsTable = (head: string, bars: Bar[]): CsvTable => ({
  heads: [head, heads.count, `${heads.share} (%)`],
  rows: bars.map(({ label, clicks, percentage }) => [label, clicks, percentage]),
})

function Countries({ figures, fileName }: PartProps) {
  const countries = figures?.countries
  const bars = countries?.map(({ country, ...counts }) => ({ label: country, ...counts }))
  return (
    <DataCard
      title={texts.countries}
      fileName={`${fileName}-countries`}
      table={bars && barsTable(texts.country, bars)}
    >
      <div className="stack">
        <WorldMap countries={countries} />
        <Bars label={texts.countries} bars={bars} shown={COUNTRIES_SHOWN} />
        <p className="hint">
          {texts.attribution}{' '}
          <a href="https://db-ip.com" rel="noreferrer">
            DB-IP
          </a>
        </p>
      </div>
    </DataCard>
  )
}

function Referrers({ figures, fileName }: PartProps) {
  const bars = figures?.referrers.map(({ referrer, ...counts }) => ({
    label: referrer ?? texts.direct,
    ...counts,
  }))
  return (
    <DataCard
      title={texts.referrers}
      fileName={`${fileName}-referrers`}
      table={bars && barsTable(texts.referrer, bars)}
      hasTableView={false}
    >
      <Bars label={texts.referrers} bars={bars} />
    </DataCard>
  )
}

function Programs({ figures, fileName }: PartProps) {
  const browsers = figures?.browsers.map(({ browser, ...counts }) => ({ label: browser, ...counts }))
  const systems = figures?.operating_systems.map(({ operating_system, ...counts }) => ({
    label: operating_system,
    ...counts,
  }))
  const devices = figures?.devices.map(({ device, ...counts }) => ({
    label: texts.device[device] ?? device,
    ...counts,
  }))
  const all: [string, Bar[] | undefined][] = [
    [texts.browsers, browsers],
    [texts.systems, systems],
    [texts.devices, devices],
  ]
  const table: CsvTable | undefined = figures && {
    heads: [texts.kind, texts.name, heads.count, `${heads.share} (%)`],
    rows: all.flatMap(([kind, bars]) =>
      (bars ?? []).map((bar) => [kind, bar.label, bar.clicks, bar.percentage]),
    ),
  }
  return (
    <DataCard title={texts.programs} fileName={`${fileName}-programs`} table={table} hasTableView={false}>
      <Tabs
        label={texts.programs}
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

type BarsProps = { label: string; bars: Bar[] | undefined; shown?: number }

/** The first few, and the others on request. */
function Bars({ label, bars, shown = BARS_SHOWN }: BarsProps) {
  const [isLong, setLong] = useState(false)
  if (bars?.length === 0) return <p className="hint">{texts.none}</p>
  const hasMore = bars !== undefined && bars.length > shown
  return (
    <div className="stack">
      <BarList label={label} bars={isLong ? bars : bars?.slice(0, shown)} />
      {hasMore && (
        <div>
          <Button look="quiet" size="small" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? texts.showFewer : texts.showAll(fullNumber(bars.length))}
          </Button>
        </div>
      )}
    </div>
  )
}
