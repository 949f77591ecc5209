import { describe, expect, test } from 'bun:test'
import { DAY_US, HOUR_US, QUARTER_US } from '../runtime/clock.ts'
import { compareRange } from './compare-range.ts'
import { lifetimeRange, todayRange } from './lifetime-range.ts'
import { validated } from '../errors/field-errors.ts'
import { rangeParameters } from './range-parameters.ts'

const us = (iso: string) => Temporal.Instant.from(iso).epochMilliseconds * 1000
/** 2:30 PM in Berlin. */
const NOW = us('2026-11-22T13:30:00Z')

describe('the chart of a range', () => {
  test('begins with the first day of a link that is younger than the range', () => {
    const range = rangeOf({ period: '30d' }, daysAgo(3))
    expect(labels(range)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'])
    expect([range.beginsAtCreation, range.granularity]).toEqual([true, 'day'])
    expect(rangeOf({ period: '30d' }, daysAgo(29)).buckets).toHaveLength(30)
    expect(rangeOf({ period: '30d' }, daysAgo(400)).beginsAtCreation).toBe(false)
  })

  test('is of hours in the first two days of a link', () => {
    const range = rangeOf({ period: '12m' }, us('2026-11-22T11:59:00Z'))
    expect(labels(range)).toEqual([
      '2026-11-22T12:00+01:00',
      '2026-11-22T13:00+01:00',
      '2026-11-22T14:00+01:00',
    ])
    expect(rangeOf({ period: '30d' }, NOW - 47 * HOUR_US).granularity).toBe('hour')
    expect(rangeOf({ period: '30d' }, NOW - 48 * HOUR_US).granularity).toBe('day')
  })

  test('of all time begins when the link was created, which is no surprise', () => {
    const range = rangeOf({ period: 'all' }, daysAgo(400))
    expect([range.granularity, range.buckets[0]!.label, range.beginsAtCreation]).toEqual([
      'month',
      '2025-10',
      false,
    ])
  })

  test('ends now, where the time that was asked for does not', () => {
    const range = rangeOf({ from: '2026-11-20', to: '2026-12-24', granularity: 'day' })
    expect(labels(range)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22'])
    expect(range.toQuarter).toBe(quarter('2026-11-22T14:00:00Z'))
  })

  test('knows the hour, day, week or month that is not over', () => {
    expect(rangeOf({ period: '30d', granularity: 'week' }).runningBucket).toBe(4)
    expect(rangeOf({ to: '2026-11-15', granularity: 'week' }).runningBucket).toBeNull()
    expect(rangeOf({ period: '24h' }).runningBucket).toBe(23)
    expect(rangeOf({ period: '7d' }).runningBucket).toBe(6)
    expect(rangeOf({ period: '12m' }).runningBucket).toBe(11)
    expect(rangeOf({ from: '2026-11-01', to: '2026-11-21' }).runningBucket).toBeNull()
    expect(rangeOf({ from: '2026-11-01', to: '2026-11-22' }).runningBucket).toBe(21)
    expect(rangeOf({ from: '2026-11-23', to: '2026-11-24' }).runningBucket).toBeNull()
  })

  test('takes the granularity that fits in place of one with too many steps, and says which there are', () => {
    const range = rangeOf({ period: '12m', granularity: 'hour' })
    expect([range.granularity, range.automatic, range.possible]).toEqual([
      'month',
      'month',
      ['day', 'week', 'month'],
    ])
    expect(rangeOf({ period: '90d', granularity: 'hour' }).granularity).toBe('hour')
    expect(rangeOf({ period: '90d' }).possible).toEqual(['hour', 'day', 'week', 'month'])
    // Of a young link a year has few hours.
    expect(rangeOf({ period: '12m', granularity: 'hour' }, daysAgo(20)).granularity).toBe('hour')
    expect(rangeOf({ from: '1990-01-01', granularity: 'day' }, 0).possible).toEqual(['week', 'month'])
    expect(rangeOf({ from: '1970-01-01', granularity: 'week' }, 0).possible).toEqual(['month'])
    expect(rangeOf({ granularity: 'week' }).granularity).toBe('week')
    expect(() => rangeOf({ granularity: 'year' })).toThrow()
  })
})

describe('a range is compared', () => {
  const hours = (from: string, to: string) => ({ fromQuarter: quarter(from), toQuarter: quarter(to) })

  test('in its whole days with the same days of the time before', () => {
    const found = compare({ period: '7d' })
    expect(found?.buckets).toBe(6)
    expect(found?.before).toMatchObject(hours('2026-11-08T23:00:00Z', '2026-11-14T23:00:00Z'))
  })

  test('in its whole hours with the same hours of the day before', () => {
    const found = compare({ period: '24h' })
    expect(found?.buckets).toBe(23)
    expect(found?.before).toMatchObject(hours('2026-11-20T14:00:00Z', '2026-11-21T13:00:00Z'))
  })

  test('in its whole months, by the calendar', () => {
    const found = compare({ period: '12m' })
    expect(found?.buckets).toBe(11)
    expect(found?.before).toMatchObject(hours('2024-11-30T23:00:00Z', '2025-10-31T23:00:00Z'))
  })

  test('in its whole weeks with as many weeks before, and with those 52 weeks earlier', () => {
    // From Saturday, October 24, to Sunday, November 22, of which some hours are left.
    const weeks = { period: '30d', granularity: 'week' }
    const found = compare(weeks)
    expect(found?.buckets).toBe(4)
    expect(found?.before).toMatchObject(hours('2026-09-18T22:00:00Z', '2026-10-11T22:00:00Z'))
    expect(labels(found!.now)).toEqual(['2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09'])
    expect(labels(found!.before!)).toEqual(['2026-09-14', '2026-09-21', '2026-09-28', '2026-10-05'])
    const year = compare({ ...weeks, compare: 'year' })
    expect(labels(year!.before!)).toEqual(['2025-10-20', '2025-10-27', '2025-11-03', '2025-11-10'])
    expect(year?.before).toMatchObject(hours('2025-10-24T22:00:00Z', '2025-11-16T23:00:00Z'))
  })

  test('in all of its days when they are over, an hour longer or not', () => {
    const found = compare({ from: '2026-10-20', to: '2026-10-31' })
    expect(found?.buckets).toBe(12)
    expect(found?.before).toMatchObject(hours('2026-10-07T22:00:00Z', '2026-10-19T22:00:00Z'))
  })

  test('with the time right before where the first bucket is a part, as the last one is', () => {
    const midMonth = { from: '2026-04-15', to: '2026-05-14', granularity: 'month' }
    expect(compare(midMonth)?.before).toMatchObject(hours('2026-03-14T23:00:00Z', '2026-04-14T22:00:00Z'))
    const midWeek = { from: '2026-11-03', to: '2026-11-09', granularity: 'week' }
    expect(compare(midWeek)?.before).toMatchObject(hours('2026-10-26T23:00:00Z', '2026-11-02T23:00:00Z'))
    const noon = { from: '2026-11-03T12:00:00Z', to: '2026-11-04T12:00:00Z', granularity: 'day' }
    expect(compare(noon)?.before).toMatchObject(hours('2026-11-02T12:00:00Z', '2026-11-03T12:00:00Z'))
    const hour = { from: '2026-11-03T12:15:00Z', to: '2026-11-03T13:15:00Z', granularity: 'hour' }
    expect(compare(hour)?.before).toMatchObject(hours('2026-11-03T11:15:00Z', '2026-11-03T12:15:00Z'))
  })

  test('with nothing where the month before has no such days', () => {
    const range = { from: '2026-03-29', to: '2026-03-30', granularity: 'month' }
    expect(compare(range)).toMatchObject({ buckets: 1, before: null })
    expect(compare({ ...range, from: '2026-03-01' })?.before).toMatchObject(
      hours('2026-01-31T23:00:00Z', '2026-02-27T23:00:00Z'),
    )
  })

  test('with nothing where the link was not there for all of the time before', () => {
    expect(compare({ period: '12m' }, daysAgo(396))).toMatchObject({ buckets: 11, before: null })
    expect(compare({ period: '30d' }, daysAgo(59))).toMatchObject({ buckets: 29, before: null })
    expect(compare({ period: '30d' }, daysAgo(61))?.before).not.toBeNull()
    expect(compare({ period: '30d' }, daysAgo(3))).toMatchObject({ buckets: 3, before: null })
  })

  test('with the same days of the year before', () => {
    const found = compare({ period: '7d', compare: 'year' })
    expect(found?.buckets).toBe(6)
    expect(found?.before).toMatchObject(hours('2025-11-15T23:00:00Z', '2025-11-21T23:00:00Z'))
    expect(found?.before?.buckets.map(({ label }) => label).at(-1)).toBe('2025-11-21')
    expect(compare({ period: '7d', compare: 'year' }, daysAgo(371))?.before).toBeNull()
    const day = { from: '2024-02-29', to: '2024-02-29', compare: 'year', granularity: 'day' }
    const leap = compare(day, daysAgo(2_000))
    expect(leap?.before).toMatchObject(hours('2023-02-27T23:00:00Z', '2023-02-28T23:00:00Z'))
  })

  test('never when it is all of the time, or none of it is over', () => {
    expect(compare({ period: 'all' })).toBeNull()
    expect(compare({ from: '2026-11-22', to: '2026-11-22', granularity: 'day' })).toBeNull()
    expect(compare({ from: '2026-11-23', to: '2026-12-01' })).toBeNull()
  })
})

test('today begins at midnight of the time zone, half past an hour too', () => {
  const today = (timezone: string, nowUs = NOW) => todayRange({ timezone }, nowUs)
  expect(today('Europe/Berlin')).toMatchObject({
    fromQuarter: quarter('2026-11-21T23:00:00Z'),
    toQuarter: quarter('2026-11-22T14:00:00Z'),
  })
  expect(today('Asia/Kolkata').fromQuarter).toBe(quarter('2026-11-21T18:30:00Z'))
  // Ten minutes after midnight there.
  const { fromQuarter, toQuarter } = today('Asia/Kolkata', us('2026-11-21T18:40:00Z'))
  expect([fromQuarter, toQuarter]).toEqual([quarter('2026-11-21T18:30:00Z'), quarter('2026-11-21T19:30:00Z')])
})

const quarter = (iso: string) => us(iso) / QUARTER_US
const daysAgo = (days: number) => NOW - days * DAY_US

type SentRange = { [Name in 'from' | 'to' | 'period' | 'granularity' | 'timezone' | 'compare']?: string }

const query = (asked: SentRange) => validated(rangeParameters, { timezone: 'Europe/Berlin', ...asked })
const rangeOf = (asked: SentRange, sinceUs = daysAgo(1_000)) =>
  lifetimeRange(query(asked), { nowUs: NOW, sinceUs })
const compare = (asked: SentRange, sinceUs = daysAgo(1_000)) =>
  compareRange(rangeOf(asked, sinceUs), query(asked), { nowUs: NOW, sinceUs })
const labels = ({ buckets }: { buckets: { label: string }[] }) => buckets.map(({ label }) => label)
