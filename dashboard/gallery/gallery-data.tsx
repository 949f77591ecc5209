import type { ClickPoint, CountryClicks } from '../../src/http/dashboard-api/dashboard-types.ts'
import { Card, DataCard } from '../parts/card.tsx'
import { SeriesChart, WorldMap } from '../parts/lazy-part.tsx'

const point = (date: string, clicks: number): ClickPoint => ({
  date,
  clicks,
  unique_visitors: Math.round(clicks * 0.7),
  bots: 0,
})

const DAYS = [12, 30, 22, 48, 80, 61, 90].map((clicks, at) => point(`2026-04-0${at + 1}`, clicks))
const NOTHING = DAYS.map(({ date }) => point(date, 0))
const COUNTRIES: CountryClicks[] = [
  { country_code: 'DE', country: 'Germany', clicks: 1200, percentage: 60 },
  { country_code: 'BR', country: 'Brazil', clicks: 600, percentage: 30 },
  { country_code: 'NZ', country: 'New Zealand', clicks: 200, percentage: 10 },
]

const TABLE = {
  heads: ['Time', 'Clicks'],
  rows: DAYS.map(({ date, clicks }) => [date, clicks]),
}

export const DataParts = () => (
  <>
    <DataCard title="Chart" fileName="chart" table={TABLE}>
      <SeriesChart points={DAYS} />
    </DataCard>
    <div className="two-columns">
      <Card title="Chart without clicks">
        <SeriesChart points={NOTHING} />
      </Card>
      <Card title="Chart of one point">
        <SeriesChart points={DAYS.slice(0, 1)} />
      </Card>
      <Card title="Chart while loading">
        <SeriesChart points={undefined} />
      </Card>
      <Card title="Map">
        <WorldMap countries={COUNTRIES} />
      </Card>
    </div>
  </>
)
