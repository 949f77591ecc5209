import { describe, expect, test } from 'bun:test'
import { QUARTER_US, isoMicroseconds } from '../runtime/clock.ts'
import { Refusal } from '../errors/refusal.ts'
import { validated } from '../errors/field-errors.ts'
import { rangeParameters } from './range-parameters.ts'
import { rangeMeta, readTimeRange, type TimeRange } from './time-range.ts'

describe('a period', () => {
  const periods: [string | undefined, first: string, last: string, buckets: number, granularity: string][] = [
    [undefined, '2026-03-22', '2026-04-20', 30, 'day'],
    ['24h', '2026-04-19T10:00+00:00', '2026-04-20T09:00+00:00', 24, 'hour'],
    ['7d', '2026-04-14', '2026-04-20', 7, 'day'],
    ['30d', '2026-03-22', '2026-04-20', 30, 'day'],
    ['90d', '2026-01-21', '2026-04-20', 90, 'day'],
    ['12m', '2025-05', '2026-04', 12, 'month'],
    ['all', '2026-01-15', '2026-04-20', 96, 'day'],
  ]
  test.each(periods)(
    'of %s begins at %s, ends with %s and has %d buckets',
    (period, first, last, count, granularity) => {
      const range = read({ period })
      expect(outermost(range)).toEqual([first, last, count])
      expect(range.granularity).toBe(granularity as TimeRange['granularity'])
      expect(ends(range)[1]).toBe('2026-04-20T10:00')
    },
  )

  test.each(periods)('of %s is the same at the very beginning of an hour', (period, first, last, count) => {
    expect(outermost(read({ period, now: '2026-04-20T09:00:00Z' }))).toEqual([first, last, count])
  })

  test('is counted in days of the time zone, of which today is not over', () => {
    const range = read({ period: '7d', timezone: 'Asia/Tokyo', now: '2026-04-20T16:30:00Z' })
    expect(outermost(range)).toEqual(['2026-04-15', '2026-04-21', 7])
    expect(ends(range)).toEqual(['2026-04-14T15:00', '2026-04-20T17:00'])
  })

  test('has all its days in a zone half an hour off, just after its midnight', () => {
    const now = '2026-04-20T18:40:00Z'
    const range = read({ period: '7d', timezone: 'Asia/Kolkata', now })
    expect(range.buckets).toHaveLength(7)
    expect(read({ period: '24h', timezone: 'Asia/Kolkata', now }).buckets).toHaveLength(24)
  })

  test('of all time begins with the day of the time zone on which it began', () => {
    const range = read({ period: 'all', timezone: 'Asia/Kolkata' })
    expect(range.fromQuarter).toBeLessThanOrEqual(us(SINCE) / QUARTER_US)
    expect(labels(range)[0]).toBe('2026-01-16')
  })

  test('of all time is of today when there is nothing before', () => {
    expect(outermost(read({ period: 'all', since: NOW }))).toEqual([
      '2026-04-20T00:00+00:00',
      '2026-04-20T09:00+00:00',
      10,
    ])
  })

  test('counts back from the end that was given, that day included', () => {
    expect(outermost(read({ to: '2026-03-31' }))).toEqual(['2026-03-02', '2026-03-31', 30])
    expect(outermost(read({ to: '2026-03-31T12:00:00Z' }))).toEqual(['2026-03-02', '2026-03-31', 30])
  })
})

describe('from and to', () => {
  test('are dates of the time zone, the last one included', () => {
    const range = read({ from: '2026-04-01', to: '2026-04-03', timezone: 'America/New_York' })
    expect(labels(range)).toEqual(['2026-04-01', '2026-04-02', '2026-04-03'])
    expect(ends(range)).toEqual(['2026-04-01T04:00', '2026-04-04T04:00'])
  })

  test('are timestamps of any offset, which reach over the quarters of an hour they touch', () => {
    const range = read({ from: '2026-04-20T10:59:59+02:00', to: '2026-04-20T09:00:01Z' })
    expect(ends(range)).toEqual(['2026-04-20T08:45', '2026-04-20T09:15'])
    expect(labels(range)).toEqual(['2026-04-20T08:00+00:00', '2026-04-20T09:00+00:00'])
  })

  test('of neighbouring days share no time, in a zone half an hour off too', () => {
    for (const timezone of ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns']) {
      const [first, second] = ['2026-04-10', '2026-04-11'].map((day) =>
        read({ from: day, to: day, timezone }),
      )
      expect(second!.fromQuarter).toBe(first!.toQuarter)
      expect(first!.toQuarter - first!.fromQuarter).toBe(96)
    }
  })

  test('may be in the future', () => {
    expect(labels(read({ from: '2027-01-01', to: '2027-01-01', granularity: 'day' }))).toEqual(['2027-01-01'])
  })

  test('may leave out the end: it is now', () => {
    expect(ends(read({ from: '2026-04-19' }))).toEqual(['2026-04-19T00:00', '2026-04-20T10:00'])
  })
})

describe('the granularity', () => {
  test.each<[from: string, to: string, granularity: string]>([
    ['2026-04-01', '2026-04-02', 'hour'],
    ['2026-04-01', '2026-04-03', 'day'],
    ['2026-01-01', '2026-04-30', 'day'],
    ['2026-01-01', '2026-05-01', 'month'],
  ])('of %s to %s is by %3$s when none is given', (from, to, granularity) => {
    expect(read({ from, to }).granularity).toBe(granularity as TimeRange['granularity'])
  })

  test('that is given is taken', () => {
    const month = { from: '2026-01-31', to: '2026-03-01' }
    expect(labels(read({ ...month, granularity: 'month' }))).toEqual(['2026-01', '2026-02', '2026-03'])
    expect(read({ ...month, granularity: 'day' }).buckets).toHaveLength(30)
    expect(read({ ...month, granularity: 'hour' }).buckets).toHaveLength(30 * 24)
  })

  test('week has weeks that begin on Monday, of which the range may cut the first and the last', () => {
    const range = read({ from: '2026-01-01', to: '2026-01-20', granularity: 'week' })
    expect(labels(range)).toEqual(['2025-12-29', '2026-01-05', '2026-01-12', '2026-01-19'])
    expect(startsOf(range)).toEqual([
      '2026-01-01T00:00',
      '2026-01-05T00:00',
      '2026-01-12T00:00',
      '2026-01-19T00:00',
    ])
    expect(ends(range)).toEqual(['2026-01-01T00:00', '2026-01-21T00:00'])
    const monday = { from: '2026-01-05', to: '2026-01-05', granularity: 'week' }
    expect(labels(read(monday))).toEqual(['2026-01-05'])
    const sunday = { from: '2026-01-04', to: '2026-01-04', granularity: 'week' }
    expect(labels(read(sunday))).toEqual(['2025-12-29'])
  })

  test('week has weeks of the time zone, also when its clocks change', () => {
    const timezone = 'America/New_York'
    const range = read({ from: '2026-03-02', to: '2026-03-15', timezone, granularity: 'week' })
    expect(labels(range)).toEqual(['2026-03-02', '2026-03-09'])
    expect(startsOf(range)).toEqual(['2026-03-02T05:00', '2026-03-09T04:00'])
    // It is Monday in Tokyo already.
    const tokyo = { from: '2026-04-19T15:00:00Z', to: '2026-04-19T16:00:00Z', timezone: 'Asia/Tokyo' }
    expect(labels(read({ ...tokyo, granularity: 'week' }))).toEqual(['2026-04-20'])
  })
})

describe('a day on which clocks change', () => {
  test('has 23 hours in spring and 25 in autumn, each with its offset', () => {
    const timezone = 'America/New_York'
    const spring = read({ from: '2026-03-08', to: '2026-03-08', timezone })
    const autumn = read({ from: '2026-11-01', to: '2026-11-01', timezone })
    expect(outermost(spring)).toEqual(['2026-03-08T00:00-05:00', '2026-03-08T23:00-04:00', 23])
    expect(labels(spring)[2]).toBe('2026-03-08T03:00-04:00')
    expect(outermost(autumn)).toEqual(['2026-11-01T00:00-04:00', '2026-11-01T23:00-05:00', 25])
    expect(labels(autumn).slice(1, 3)).toEqual(['2026-11-01T01:00-04:00', '2026-11-01T01:00-05:00'])
  })

  test('begins and ends at its own midnights', () => {
    const range = read({ from: '2026-03-07', to: '2026-03-09', timezone: 'America/New_York' })
    expect(startsOf(range)).toEqual(['2026-03-07T05:00', '2026-03-08T05:00', '2026-03-09T04:00'])
  })

  test('without a midnight does not move the days after it', () => {
    const range = read({ from: '2026-04-23', to: '2026-04-26', timezone: 'Africa/Cairo' })
    expect(startsOf(range)).toEqual([
      '2026-04-22T22:00',
      '2026-04-23T22:00',
      '2026-04-24T21:00',
      '2026-04-25T21:00',
    ])
  })
})

describe('clocks that change by half an hour', () => {
  test('leave the hours of the day in order, each with its own start', () => {
    for (const day of ['2026-04-05', '2026-10-04']) {
      const starts = startsOf(
        read({ from: day, to: day, timezone: 'Australia/Lord_Howe', granularity: 'hour' }),
      )
      expect(starts.length).toBeWithin(23, 26)
      expect(starts).toEqual([...new Set(starts)].sort())
    }
  })
})

describe('the time zone', () => {
  test('is named as the database of zones names it', () => {
    expect(read({ timezone: 'europe/berlin' }).timezone).toBe('Europe/Berlin')
    expect(read({ timezone: 'Asia/Kolkata' }).timezone).toBe('Asia/Kolkata')
    expect(read().timezone).toBe('UTC')
  })
})

describe('a range is refused', () => {
  const moment = (name: string) => [
    `The ${name} must be a date (2026-04-20) or a timestamp with an offset (2026-04-20T09:30:00Z), from 1970 to 2199.`,
  ]
  const ZONE = ['The timezone must be a name of the IANA time zone database, such as Europe/Berlin.']
  const ORDER = ['The start must be before the end.']
  test.each<[query: SentRange, fields: Record<string, string[]>]>([
    [{ from: 'yesterday' }, { from: moment('start') }],
    [{ from: '2026-02-30' }, { from: moment('start') }],
    [{ from: '2026-04-20T09:30:00' }, { from: moment('start') }],
    [{ to: '20260420' }, { to: moment('end') }],
    [{ to: '2026-04-20 09:30' }, { to: moment('end') }],
    [
      { from: 'x', to: 'y' },
      { from: moment('start'), to: moment('end') },
    ],
    [{ from: '2026-04-02', to: '2026-04-01' }, { from: ORDER }],
    [{ from: '2026-04-02T08:30:00Z', to: '2026-04-02T08:30:00Z' }, { from: ORDER }],
    [{ from: '2026-04-02T08:30:00Z', to: '2026-04-02T08:10:00Z' }, { from: ORDER }],
    [{ from: '2026-04-21' }, { from: ORDER }],
    [{ period: '30D' }, { period: ['The period must be one of 24h, 7d, 30d, 90d, 12m, all.'] }],
    [{ period: '7d', from: '2026-04-01' }, { period: ['The period cannot be combined with from and to.'] }],
    [{ granularity: 'year' }, { granularity: ['The granularity must be one of hour, day, week, month.'] }],
    [{ timezone: 'Mars/Olympus' }, { timezone: ZONE }],
    [{ timezone: '+05:30' }, { timezone: ZONE }],
    [{ timezone: '-08' }, { timezone: ZONE }],
    [
      { from: '2025-01-01', granularity: 'hour' },
      { granularity: ['The range has more than 2500 buckets: choose a coarser granularity.'] },
    ],
    [
      { period: 'x', granularity: 'y', timezone: 'z' },
      {
        timezone: ZONE,
        granularity: ['The granularity must be one of hour, day, week, month.'],
        period: ['The period must be one of 24h, 7d, 30d, 90d, 12m, all.'],
      },
    ],
  ])('for %j', (query, fields) => {
    expect(fieldsOf(query)).toEqual(fields)
  })
})

const NOW = '2026-04-20T09:30:15.250Z'
const SINCE = '2026-01-15T18:40:00Z'

const us = (text: string) => Date.parse(text) * 1000

type SentRange = { [Name in 'from' | 'to' | 'period' | 'granularity' | 'timezone']?: string | undefined }
type RangeCase = SentRange & { now?: string; since?: string }

const read = ({ now = NOW, since = SINCE, ...query }: RangeCase = {}): TimeRange =>
  readTimeRange(validated(rangeParameters, query), us(now), us(since))

function fieldsOf(query: RangeCase): Record<string, string[]> {
  try {
    read(query)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.fields
    throw error
  }
  return {}
}

const ends = (range: TimeRange) => {
  const { from, to } = rangeMeta(range, 0)
  return [from, to].map((moment) => moment.slice(0, 16))
}
const labels = ({ buckets }: TimeRange) => buckets.map(({ label }) => label)
const outermost = (range: TimeRange) => [labels(range).at(0), labels(range).at(-1), range.buckets.length]
const startsOf = ({ buckets }: TimeRange) =>
  buckets.map(({ fromQuarter }) => isoMicroseconds(fromQuarter * QUARTER_US).slice(0, 16))
