import type { ReactNode } from 'react'
import type { Analytics, Breakdowns, Point } from '../api-client.ts'
import { BarList, type Bar } from '../parts/bar-list.tsx'
import { DataCard } from '../parts/card.tsx'
import { SeriesChart, WorldMap } from '../parts/lazy-part.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { words } from '../words.ts'
import type { CsvTable } from '../csv.ts'
import { zoomedRange, type Range } from './range.ts'

type ClickFiguresProps = {
  /** Undefined while they are loading. */
  analytics: Analytics | undefined
  range: Range
  onRange: (change: Partial<Range>) => void
  /** Begins the names of what is downloaded. */
  fileName: string
  tools: ReactNode
}

const { link: texts, chart: heads } = words

/** The picture of clicks, the same for one link and for all: over time, from where, with what. */
export function ClickFigures({ analytics, range, onRange, fileName, tools }: ClickFiguresProps) {
  const points = analytics?.timeseries
  return (
    <>
      <DataCard
        title={texts.chart}
        fileName={`${fileName}-clicks`}
        table={points && seriesTable(points)}
        actions={tools}
      >
        <SeriesChart
          points={points}
          onZoom={(first, last) => points && onRange(zoomedRange(points, first, last))}
          {...(range.period === 'own'
            ? { onUnzoom: () => onRange({ period: '30d', from: '', to: '' }) }
            : {})}
        />
      </DataCard>
      <div className="two-columns">
        <Countries analytics={analytics} fileName={fileName} />
        <div className="stack">
          <Referrers analytics={analytics} fileName={fileName} />
          <Programs analytics={analytics} fileName={fileName} />
        </div>
      </div>
    </>
  )
}

type PartProps = { analytics: Breakdowns | undefined; fileName: string }

const seriesTable = (points: Point[]): CsvTable => ({
  heads: [heads.time, heads.clicks, heads.visitors],
  rows: points.map(({ date, clicks, unique_visitors }) => [date, clicks, unique_visitors]),
})

const barsTable = (head: string, bars: Bar[]): CsvTable => ({
  heads: [head, heads.count, `${heads.share} (%)`],
  rows: bars.map(({ label, clicks, percentage }) => [label, clicks, percentage]),
})

function Countries({ analytics, fileName }: PartProps) {
  const countries = analytics?.countries
  const bars = countries?.map(({ country, ...counts }) => ({ label: country, ...counts }))
  return (
    <DataCard
      title={texts.countries}
      fileName={`${fileName}-countries`}
      table={bars && barsTable(texts.countries, bars)}
    >
      <div className="stack">
        <WorldMap countries={countries} />
        <Bars label={texts.countries} bars={bars} />
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

function Referrers({ analytics, fileName }: PartProps) {
  const bars = analytics?.referrers.map(({ referrer, ...counts }) => ({
    label: referrer ?? texts.direct,
    ...counts,
  }))
  return (
    <DataCard
      title={texts.referrers}
      fileName={`${fileName}-referrers`}
      table={bars && barsTable(texts.referrers, bars)}
      hasTableView={false}
    >
      <Bars label={texts.referrers} bars={bars} />
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
    label: texts.device[device] ?? device,
    ...counts,
  }))
  const all: [string, Bar[] | undefined][] = [
    [texts.browsers, browsers],
    [texts.systems, systems],
    [texts.devices, devices],
  ]
  const table: CsvTable | undefined = analytics && {
    heads: ['', '', heads.count, `${heads.share} (%)`],
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

const Bars = ({ label, bars }: { label: string; bars: Bar[] | undefined }) =>
  bars?.length === 0 ? <p className="hint">{texts.emptyTitle}</p> : <BarList label={label} bars={bars} />
