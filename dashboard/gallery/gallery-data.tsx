import type { ClickPoint, CountryClicks } from '../../src/http/endpoints/browser-types.ts'
import { Card, DataCard } from '../components/card.tsx'
import { SeriesChart, WorldMap } from '../components/lazy-part.tsx'

const point = (date: string, clicks: number): ClickPoint => ({
  date,
  clicks,
  unique_visitors: Math.round(clicks * 0.7),
  bots: 0,
})

const DAYS = [12, 30, 22, 48, 80, 61, 90].map((clicks, at) => point(`2026-04-0${at + 1}`, clicks))
const MONTHS = DAYS.flatMap(({ clicks }, at) => [
  point(`2025-${String(at + 6).padStart(2, '0')}`, clicks * 13_400),
  point(`2026-0${at + 1}`, clicks * 12_100),
])
  .filter(({ date }) => /-(0\d|1[0-2])$/.test(date) && date < '2026-06')
  .sort((a, b) => a.date.localeCompare(b.date))
const UNTIL_NOW = { granularity: 'day', running_point: 6, as_of: '2026-04-07T12:32:00.000000Z' } as const
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
    <Card title="Chart of days, the last one not over">
      <SeriesChart points={DAYS} meta={UNTIL_NOW} createdAt="2026-04-01T08:00:00.000000Z" />
    </Card>
    <Card title="Chart with changes of the destination">
      <SeriesChart
        points={DAYS}
        destinationChanges={['2026-04-03T09:00:00Z', '2026-04-03T12:00:00Z', '2026-04-06T12:00:00Z']}
        onHistory={() => {}}
      />
    </Card>
    <div className="two-columns">
      <Card title="Chart without clicks">
        <SeriesChart points={NOTHING} />
      </Card>
      <Card title="Chart of one point">
        <SeriesChart points={DAYS.slice(0, 1)} />
      </Card>
      <Card title="Chart of one point, not over">
        <SeriesChart points={DAYS.slice(0, 1)} meta={{ ...UNTIL_NOW, running_point: 0 }} />
      </Card>
      <Card title="Chart of months, and a million clicks">
        <SeriesChart points={MONTHS} meta={{ ...UNTIL_NOW, granularity: 'month', running_point: 11 }} />
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
