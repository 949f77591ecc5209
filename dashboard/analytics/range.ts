import type { FiguresQuery } from '../../src/http/dashboard-api/dashboard-types.ts'

export const PERIODS = ['24h', '7d', '30d', '90d', '12m', 'all'] as const
export const GRANULARITIES = ['hour', 'day', 'month'] as const
type Period = (typeof PERIODS)[number]
type Granularity = (typeof GRANULARITIES)[number]

/** Which time is looked at. `own`: between two dates, both included. */
export type Range = { period: Period | 'own'; from: string; to: string; granularity: Granularity | 'auto' }

const DATE = /^\d{4}-\d\d-\d\d$/

/** From the page's own address; what is not understood is left at its default. */
export function readRange(parameters: URLSearchParams): Range {
  const [from, to] = [parameters.get('from') ?? '', parameters.get('to') ?? '']
  const isOwn = [from, to].every((each) => DATE.test(each) || !Number.isNaN(Date.parse(each)))
  return {
    period: isOwn ? 'own' : (PERIODS.find((period) => period === parameters.get('period')) ?? '30d'),
    from: isOwn ? from : '',
    to: isOwn ? to : '',
    granularity: GRANULARITIES.find((each) => each === parameters.get('granularity')) ?? 'auto',
  }
}

export function writeRange({ period, from, to, granularity }: Range): URLSearchParams {
  const parameters = new URLSearchParams()
  if (period === 'own') {
    parameters.set('from', from)
    parameters.set('to', to)
  } else if (period !== '30d') parameters.set('period', period)
  if (granularity !== 'auto') parameters.set('granularity', granularity)
  return parameters
}

/** Days are those of the person who looks. */
export function rangeQuery({ period, from, to, granularity }: Range): FiguresQuery {
  return {
    timezone: ownTimezone(),
    ...(period === 'own' ? { from, to } : { period }),
    ...(granularity === 'auto' ? {} : { granularity }),
  }
}

const ownTimezone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** `2026-04-20`, where the person is who looks. */
export const dateOf = (ms: number): string =>
  // Swedish dates are written as ISO 8601 has them.
  new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: ownTimezone() }).format(ms)

const HOUR_MS = 3_600_000

/** What was dragged over in the chart, first and last point included. */
export function zoomedRange(
  points: readonly { date: string }[],
  first: number,
  last: number,
): Pick<Range, 'period' | 'from' | 'to'> {
  const [from, to] = [points[first]!.date, points[last]!.date]
  return { period: 'own', from: startOf(from), to: endOf(to) }
}

const startOf = (date: string) => (/^\d{4}-\d\d$/.test(date) ? `${date}-01` : date)

/** Dates are included as they stand; an hour is included by naming the next one. */
function endOf(date: string): string {
  if (DATE.test(date)) return date
  if (!/^\d{4}-\d\d$/.test(date)) return new Date(Date.parse(date) + HOUR_MS).toISOString()
  // Day 0 of the month after it.
  const [year = 0, month = 0] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return `${date}-${String(lastDay).padStart(2, '0')}`
}
