import { quarterOf, QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import { GRANULARITIES } from './range-parameters.ts'
import {
  BUCKETS_MAX,
  cutStretch,
  fittingGranularity,
  type Granularity,
  hourOfZone,
  nextHour,
  quarterFrom,
  readStretch,
  type TimeRange,
  type TimeRangeQuery,
} from './time-range.ts'

/** `sinceUs`: when the link, or the workspace, was created. */
export type Moments = { nowUs: number; sinceUs: number }

/** A range as charts show it: not before its owner was created, and not in the future. */
export type LifetimeRange = TimeRange & {
  /** The granularity if none is requested. */
  automatic: Granularity
  /** The granularities that do not give too many buckets. */
  possible: Granularity[]
  /** The owner was created after the start of the requested range. */
  beginsAtCreation: boolean
  /** The bucket that is not over yet; null if all are. */
  runningBucket: number | null
}

const HOURS_OF: Record<Granularity, number> = { hour: 1, day: 24, week: 24 * 7, month: 24 * 28 }

/** A granularity that gives too many buckets is replaced by the automatic one. */
export function lifetimeRange(query: TimeRangeQuery, { nowUs, sinceUs }: Moments): LifetimeRange {
  const stretch = readStretch(query, nowUs, sinceUs)
  const creationQuarter = quarterFrom(hourOfZone(sinceUs, stretch.timezone))
  const beginsAtCreation = stretch.fromQuarter < creationQuarter && creationQuarter < stretch.toQuarter
  const fromQuarter = beginsAtCreation ? creationQuarter : stretch.fromQuarter
  const now = quarterOf(nowUs)
  const includesNow = fromQuarter <= now && now < stretch.toQuarter
  const hourEnd = quarterFrom(nextHour(hourOfZone(nowUs, stretch.timezone)))
  const toQuarter = includesNow ? Math.min(hourEnd, stretch.toQuarter) : stretch.toQuarter
  const automatic = fittingGranularity({ fromQuarter, toQuarter })
  const hours = (toQuarter - fromQuarter) / QUARTERS_OF_HOUR
  const possible = GRANULARITIES.filter((each) => bucketsMostly(hours, each) <= BUCKETS_MAX)
  const granularity = possible.find((each) => each === stretch.granularity) ?? automatic
  const range = cutStretch({ ...stretch, fromQuarter, toQuarter, granularity })
  return {
    ...range,
    automatic,
    possible,
    beginsAtCreation: beginsAtCreation && query.period !== 'all',
    runningBucket: includesNow ? range.buckets.length - 1 : null,
  }
}

/** Plus one for a partial bucket. */
const bucketsMostly = (hours: number, granularity: Granularity): number =>
  Math.ceil(hours / HOURS_OF[granularity]) + 1

/** From midnight in the time zone up to now. */
export function todayRange({ timezone }: Pick<TimeRange, 'timezone'>, nowUs: number): TimeRange {
  const hour = hourOfZone(nowUs, timezone)
  const fromQuarter = quarterFrom(hour.startOfDay())
  const toQuarter = quarterFrom(nextHour(hour))
  return { fromQuarter, toQuarter, timezone, granularity: 'day', buckets: [{ label: '', fromQuarter }] }
}
