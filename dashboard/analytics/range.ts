import { ownTimezone, PLAIN_RANGE } from './analytics-query.ts'

export const PERIODS = ['24h', '7d', '30d', '90d', '12m', 'all'] as const
export const GRANULARITIES = ['hour', 'day', 'week', 'month'] as const
/** What a range is compared with, if it is. */
export const COMPARISONS = ['previous', 'year', 'off'] as const
type Period = (typeof PERIODS)[number]
type Granularity = (typeof GRANULARITIES)[number]

/** `own`: between two dates, both included. */
export type Range = {
  period: Period | 'own'
  from: string
  to: string
  granularity: Granularity | 'auto'
  compare: (typeof COMPARISONS)[number]
}

const DATE = /^\d{4}-\d\d-\d\d$/

/** From the page's URL. Unknown values, and a range that ends before it begins, are ignored. */
export function readRange(parameters: URLSearchParams): Range {
  const from = parameters.get('from') ?? ''
  const to = parameters.get('to') ?? ''
  // A day ends after it begins; an hour that is its own end does not.
  const isOwn = from === to ? DATE.test(from) : Date.parse(from) < Date.parse(to)
  return {
    period: isOwn
      ? 'own'
      : (PERIODS.find((period) => period === parameters.get('period')) ?? PLAIN_RANGE.period),
    from: isOwn ? from : '',
    to: isOwn ? to : '',
    granularity:
      GRANULARITIES.find((each) => each === parameters.get('granularity')) ?? PLAIN_RANGE.granularity,
    compare: COMPARISONS.find((each) => each === parameters.get('compare')) ?? PLAIN_RANGE.compare,
  }
}

export function writeRange({ period, from, to, granularity, compare }: Range): URLSearchParams {
  const parameters = new URLSearchParams()
  if (period === 'own') {
    parameters.set('from', from)
    parameters.set('to', to)
  } else if (period !== PLAIN_RANGE.period) parameters.set('period', period)
  if (granularity !== PLAIN_RANGE.granularity) parameters.set('granularity', granularity)
  if (compare !== PLAIN_RANGE.compare) parameters.set('compare', compare)
  return parameters
}

/** `2026-04-20`, in the browser's time zone. */
export const dateOf = (ms: number): string =>
  // The Swedish format is that of ISO 8601.
  new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: ownTimezone() }).format(ms)

const HOUR_MS = 3_600_000
const SUNDAY_AFTER_MS = 6 * 24 * HOUR_MS

type Points = { points: readonly { date: string }[]; granularity: Granularity }

/** First and last point included. */
export function zoomedRange(
  { points, granularity }: Points,
  first: number,
  last: number,
): Pick<Range, 'period' | 'from' | 'to'> {
  const from = points[first]!.date
  const to = points[last]!.date
  return { period: 'own', from: startOf(from), to: granularity === 'week' ? sundayOf(to) : endOf(to) }
}

const sundayOf = (monday: string): string =>
  new Date(Date.parse(monday) + SUNDAY_AFTER_MS).toISOString().slice(0, monday.length)

const startOf = (date: string) => (/^\d{4}-\d\d$/.test(date) ? `${date}-01` : date)

/** An end date is included. An end hour is not, so it is the next one. */
function endOf(date: string): string {
  if (DATE.test(date)) return date
  if (!/^\d{4}-\d\d$/.test(date)) return new Date(Date.parse(date) + HOUR_MS).toISOString()
  // Day 0 of the next month is the last day of this one.
  const [year = 0, month = 0] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return `${date}-${String(lastDay).padStart(2, '0')}`
}
