import { isoDate, ZoneTime } from './zone-time.ts'

/** Parameters of a report that say of which time it is. */
export type RangeParameters = {
  timezone?: string
  from?: string
  to?: string
  period?: string
  granularity?: string
  compare?: string
}

export type ModeledRange = {
  fromQuarter: number
  toQuarter: number
  granularity: string
  timezone: string
  buckets: { label: string; fromQuarter: number }[]
}

type Moments = { nowUs: number; sinceUs: number }

const QUARTER_US = 900_000_000
const BUCKETS_MAX = 2_500
const DAYS_OF_PERIOD: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90 }

const zones = new Map<string, ZoneTime>()
export const zoneTime = (timezone: string) =>
  zones.getOrInsertComputed(timezone, () => new ZoneTime(timezone))

/** The range of a report as the documentation describes it; undefined where it has to be refused. */
export function modelRange(parameters: RangeParameters, moments: Moments): ModeledRange | undefined {
  const { timezone = 'UTC', from, to, period = '30d', granularity } = parameters
  const zone = zoneTime(timezone)
  const end = to === undefined ? endOfNow(zone, moments.nowUs) : endAt(zone, to)
  const start = from === undefined ? undefined : startAt(zone, from)
  if (start !== undefined && start.us >= end.us) return undefined
  const fromQuarter = start?.quarter ?? periodStart(zone, period, { ...moments, toQuarter: end.quarter })
  const span = { fromQuarter, toQuarter: end.quarter }
  const range = cutRange({ ...span, timezone, granularity: granularity ?? granularityOf(span) })
  return range.buckets.length > BUCKETS_MAX ? undefined : range
}

export const cutRange = (range: Omit<ModeledRange, 'buckets'>): ModeledRange => ({
  ...range,
  buckets: bucketsOf(zoneTime(range.timezone), range, range.granularity),
})

type Moment = { us: number; quarter: number }
type Span = { fromQuarter: number; toQuarter: number }

const isDate = (text: string) => text.length === 10
const dayNumber = (date: string) => Date.parse(date) / 86_400_000

function endOfNow(zone: ZoneTime, nowUs: number): Moment {
  return { us: nowUs, quarter: zone.endOfHour(zone.startOfHour(Math.floor(nowUs / QUARTER_US))) }
}

function startAt(zone: ZoneTime, text: string): Moment {
  if (isDate(text)) return dayStart(zone, dayNumber(text))
  const us = Date.parse(text) * 1000
  return { us, quarter: Math.floor(us / QUARTER_US) }
}

function endAt(zone: ZoneTime, text: string): Moment {
  if (isDate(text)) return dayStart(zone, dayNumber(text) + 1)
  const us = Date.parse(text) * 1000
  return { us, quarter: Math.ceil(us / QUARTER_US) }
}

function dayStart(zone: ZoneTime, day: number): Moment {
  const quarter = zone.startOfDay(day)
  return { us: quarter * QUARTER_US, quarter }
}

/** Periods include the last hour, day or month. */
function periodStart(
  zone: ZoneTime,
  period: string,
  { sinceUs, toQuarter }: Moments & { toQuarter: number },
): number {
  const lastHour = zone.startOfHour(toQuarter - 1)
  if (period === '24h') return lastHour - 23 * 4
  const lastDay = zone.dayOf(lastHour)
  if (period === 'all')
    return zone.startOfDay(Math.min(zone.dayOf(Math.floor(sinceUs / QUARTER_US)), lastDay))
  if (period !== '12m') return zone.startOfDay(lastDay - DAYS_OF_PERIOD[period]! + 1)
  const last = new Date(lastDay * 86_400_000)
  return zone.startOfDay(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 11) / 86_400_000)
}

function granularityOf({ fromQuarter, toQuarter }: Span): string {
  const hours = (toQuarter - fromQuarter) / 4
  if (hours <= 48) return 'hour'
  return hours <= 120 * 24 ? 'day' : 'month'
}

function bucketsOf(zone: ZoneTime, span: Span, granularity: string): ModeledRange['buckets'] {
  const { fromQuarter, toQuarter } = span
  if (granularity === 'hour') return hoursOf(zone, span)
  const days = Array.from(
    { length: zone.dayOf(toQuarter - 1) - zone.dayOf(fromQuarter) + 1 },
    (_, at) => zone.dayOf(fromQuarter) + at,
  )
  const labelOf = (day: number) => {
    if (granularity === 'month') return isoDate(day).slice(0, 7)
    return isoDate(granularity === 'week' ? mondayBy(day) : day)
  }
  const firstDays = days.filter((day, at) => at === 0 || labelOf(day) !== labelOf(day - 1))
  return firstDays.map((day) => ({
    label: labelOf(day),
    fromQuarter: Math.max(fromQuarter, zone.startOfDay(day)),
  }))
}

/** 1970 began on a Thursday. */
const mondayBy = (day: number): number => day - ((day + 3) % 7)

function hoursOf(zone: ZoneTime, { fromQuarter, toQuarter }: Span): ModeledRange['buckets'] {
  const hours: ModeledRange['buckets'] = []
  for (
    let at = zone.startOfHour(fromQuarter);
    at < toQuarter && hours.length <= BUCKETS_MAX;
    at = zone.endOfHour(at)
  )
    hours.push({ label: zone.labelOfHour(at), fromQuarter: Math.max(at, fromQuarter) })
  return hours
}

/** With microseconds. */
export function isoTime(us: number): string {
  const ms = Math.floor(us / 1000)
  return `${new Date(ms).toISOString().slice(0, -1)}${String(us - ms * 1000).padStart(3, '0')}Z`
}
