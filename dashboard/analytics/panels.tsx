import { use } from 'react'
import type { AnalyticsQuery, AnalyticsView } from '../../src/http/endpoints/browser-types.ts'
import { DataCard } from '../components/card.tsx'
import { chartStrings } from '../components/charts/chart-strings.ts'
import { WorldMap } from '../components/lazy-part.tsx'
import { Tabs } from '../components/tabs.tsx'
import type { CsvTable } from '../save-file.ts'
import { analyticsStrings as texts } from './analytics-strings.ts'
import { type Bar, Bars } from './bar-list.tsx'
import { barsOf, BREAKDOWN_NAMES, type BreakdownName, labelOf, toggleValue } from './analytics-filters.ts'
import { useBots } from './analytics-queries.ts'
import { ClickFilterContext } from './filter-context.ts'
import type { Rules } from './rule-names.ts'

// The panels below the chart. Each row of them is a filter.

/** `analytics`: undefined while loading. */
type PanelProps = { analytics: AnalyticsView | undefined; fileName: string }

const { count, share } = chartStrings
/** The card is next to several cards and has space for more. */
const COUNTRIES_SHOWN = 12

export const barsTable = (head: string, bars: readonly Bar[]): CsvTable => ({
  heads: [head, count, `${share} (%)`],
  rows: bars.map(({ label, clicks, percentage }) => [label, clicks, percentage]),
})

type BreakdownTabs = readonly (readonly [label: string, filter: BreakdownName])[]

/** The rows of several breakdowns, each with the name of its own. */
const tabsTable = (tabs: BreakdownTabs, analytics: AnalyticsView, rules?: Rules): CsvTable => ({
  heads: [texts.kind, texts.name, count, `${share} (%)`],
  rows: tabs.flatMap(([kind, filter]) =>
    barsOf(filter, analytics, rules).map(({ label, clicks, percentage }) => [
      kind,
      label,
      clicks,
      percentage,
    ]),
  ),
})

/** What all panels of a page say. */
export const allPanelsTable = (analytics: AnalyticsView, rules: Rules | undefined): CsvTable =>
  tabsTable(
    BREAKDOWN_NAMES.filter((name) => name !== 'variant' || rules !== undefined).map((name) => [
      labelOf(name),
      name,
    ]),
    analytics,
    rules,
  )

const PLACES: BreakdownTabs = [
  [texts.countries, 'country'],
  [texts.regions, 'region'],
  [texts.cities, 'city'],
]

/** With regions and cities where the server knows some. */
export function Countries({ analytics, hasMap, fileName }: PanelProps & { hasMap: boolean }) {
  const bars = analytics && barsOf('country', analytics)
  const countries = <CountryMap hasMap={hasMap} bars={bars} />
  const isDetailed = analytics?.cities.some(({ city }) => city !== null) === true
  return (
    <DataCard
      title={texts.countries}
      fileName={`${fileName}-countries`}
      table={bars && (isDetailed ? tabsTable(PLACES, analytics) : barsTable(texts.country, bars))}
      hasTableView={!isDetailed}
    >
      {isDetailed ? (
        <Tabs
          label={texts.countries}
          tabs={PLACES.map(([label, filter]) => ({
            id: label,
            label,
            content:
              filter === 'country' ? (
                countries
              ) : (
                <Bars
                  label={label}
                  bars={barsOf(filter, analytics)}
                  shown={COUNTRIES_SHOWN}
                  filter={filter}
                />
              ),
          }))}
        />
      ) : (
        countries
      )}
    </DataCard>
  )
}

const countryOf = ({ value, label, clicks, percentage }: Bar) => ({
  country_code: value === 'unknown' ? null : value,
  country: label,
  clicks,
  percentage,
})

type CountryMapProps = { hasMap: boolean; bars: Bar[] | undefined }

function CountryMap({ hasMap, bars }: CountryMapProps) {
  const { filters, onFilters } = use(ClickFilterContext)
  return (
    <div className="stack">
      <WorldMap
        countries={hasMap ? bars?.map(countryOf) : undefined}
        onCountry={(code) => onFilters(toggleValue(filters, 'country', code))}
      />
      <Bars label={texts.countries} bars={bars} shown={COUNTRIES_SHOWN} filter="country" />
      <p className="hint">
        {texts.attribution}{' '}
        <a href="https://db-ip.com" rel="noreferrer">
          DB-IP
        </a>
      </p>
    </div>
  )
}

export const Sources = (props: PanelProps) => (
  <TabbedPanel
    {...props}
    title={texts.sources}
    name="sources"
    tabs={[
      [texts.sources, 'source'],
      [texts.referrers, 'referrer'],
    ]}
  />
)

export const Technology = (props: PanelProps) => (
  <TabbedPanel
    {...props}
    title={texts.technology}
    name="technology"
    tabs={[
      [texts.browsers, 'browser'],
      [texts.systems, 'os'],
      [texts.devices, 'device'],
      [texts.languages, 'language'],
    ]}
  />
)

const WAYS: BreakdownTabs = [
  [texts.via, 'via'],
  [texts.aliases, 'alias'],
]

/** Left out where everybody came by a link's own short URL. */
export function Ways({ analytics, fileName }: PanelProps) {
  if (analytics === undefined) return null
  const panel = { analytics, fileName, title: texts.via, name: 'ways' }
  if (barsOf('alias', analytics).length > 0) return <TabbedPanel {...panel} tabs={WAYS} />
  return analytics.via.every(({ via }) => via === 'link') ? null : <BarPanel {...panel} filter="via" />
}

/** Left out where no rule matched. */
export function Variants({ analytics, fileName }: PanelProps) {
  const { rules } = use(ClickFilterContext)
  if (
    rules === undefined ||
    analytics === undefined ||
    analytics.variants.every(({ variant }) => variant === null)
  )
    return null
  return <BarPanel {...{ analytics, fileName }} title={texts.variants} name="variants" filter="variant" />
}

/** Left out where no bot came. */
export function Bots({ query, fileName }: { query: AnalyticsQuery; fileName: string }) {
  const { data } = useBots(query)
  if (data === undefined || data.length === 0) return null
  const bars = data.map(({ bot, ...counts }) => ({
    ...counts,
    value: bot ?? '',
    label: bot ?? texts.otherBots,
    isPlain: true,
  }))
  return (
    <DataCard
      title={texts.botsAndPreviews}
      fileName={`${fileName}-bots`}
      table={barsTable(texts.bot, bars)}
      hasTableView={false}
    >
      <div className="stack">
        <p className="hint">{texts.botsNote}</p>
        <Bars label={texts.botsAndPreviews} bars={bars} />
      </div>
    </DataCard>
  )
}

type BarPanelProps = PanelProps & { title: string; name: string; filter: BreakdownName }

function BarPanel({ analytics, fileName, title, name, filter }: BarPanelProps) {
  const { rules } = use(ClickFilterContext)
  const bars = analytics && barsOf(filter, analytics, rules)
  return (
    <DataCard
      title={title}
      fileName={`${fileName}-${name}`}
      table={bars && barsTable(title, bars)}
      hasTableView={false}
    >
      <Bars label={title} bars={bars} filter={filter} />
    </DataCard>
  )
}

type TabbedPanelProps = PanelProps & {
  title: string
  name: string
  tabs: BreakdownTabs
}

function TabbedPanel({ analytics, fileName, title, name, tabs }: TabbedPanelProps) {
  return (
    <DataCard
      title={title}
      fileName={`${fileName}-${name}`}
      table={analytics && tabsTable(tabs, analytics)}
      hasTableView={false}
    >
      <Tabs
        label={title}
        tabs={tabs.map(([label, filter]) => ({
          id: label,
          label,
          content: <Bars label={label} bars={analytics && barsOf(filter, analytics)} filter={filter} />,
        }))}
      />
    </DataCard>
  )
}
