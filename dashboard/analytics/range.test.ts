import { describe, expect, test } from 'bun:test'
import { rangeQuery } from './analytics-query.ts'
import { dateOf, readRange, writeRange, zoomedRange } from './range.ts'

const days = (...dates: string[]) => series('day', ...dates)
const series = (granularity: 'hour' | 'day' | 'week' | 'month', ...dates: string[]) => ({
  granularity,
  points: dates.map((date) => ({ date })),
})

describe('the range of a URL', () => {
  test('is 30 days where nothing is said, or nothing that is understood', () => {
    const plain = { period: '30d', from: '', to: '', granularity: 'auto', compare: 'previous' }
    const backwards = ['from=2026-12-24&to=2026-02-24', 'from=2026-04-01T10:00:00Z&to=2026-04-01T10:00:00Z']
    const unknown = [
      'period=odd',
      'granularity=odd',
      'compare=odd',
      'from=2026-04-01',
      'from=x&to=y',
      'from=x&to=x',
    ]
    for (const text of ['', ...unknown, ...backwards]) {
      expect(readRange(new URLSearchParams(text))).toEqual(plain as never)
    }
  })

  test('comes back as it was written', () => {
    for (const range of [
      { period: '12m', from: '', to: '', granularity: 'day', compare: 'year' },
      { period: 'own', from: '2026-04-01', to: '2026-04-20', granularity: 'auto', compare: 'previous' },
      { period: 'own', from: '2026-04-01', to: '2026-04-01', granularity: 'auto', compare: 'previous' },
      {
        period: 'own',
        from: '2026-04-01T10:00:00Z',
        to: '2026-04-01T11:00:00Z',
        granularity: 'auto',
        compare: 'previous',
      },
    ] as const) {
      expect(readRange(writeRange(range))).toEqual(range)
    }
  })

  test('asks for a period or for two dates, never for both', () => {
    const zone = { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }
    expect(rangeQuery({ period: '7d', from: '', to: '', granularity: 'hour', compare: 'previous' })).toEqual({
      ...zone,
      period: '7d',
      granularity: 'hour',
      compare: 'previous',
    })
    expect(
      rangeQuery({
        period: 'own',
        from: '2026-04-01',
        to: '2026-04-02',
        granularity: 'auto',
        compare: 'previous',
      }),
    ).toEqual({
      ...zone,
      from: '2026-04-01',
      to: '2026-04-02',
      compare: 'previous',
    })
  })

  test('is compared with nothing only where that is chosen', () => {
    const range = readRange(new URLSearchParams('period=7d&compare=off&granularity=week'))
    expect(rangeQuery(range)).not.toHaveProperty('compare')
    expect(writeRange(range).toString()).toBe('period=7d&granularity=week&compare=off')
  })
})

test('today is the day in the time zone of the browser', () => {
  const today = Temporal.Instant.from('2026-04-20T12:00:00Z')
    .toZonedDateTimeISO(Intl.DateTimeFormat().resolvedOptions().timeZone)
    .toPlainDate()
    .toString()
  expect(dateOf(Date.parse('2026-04-20T12:00:00Z'))).toBe(today)
})

describe('what was dragged over', () => {
  test('includes both of its days', () => {
    const dragged = zoomedRange(days('2026-04-01', '2026-04-02', '2026-04-03'), 0, 1)
    expect(dragged).toEqual({ period: 'own', from: '2026-04-01', to: '2026-04-02' })
  })

  test('includes all days of both of its weeks', () => {
    const dragged = zoomedRange(series('week', '2026-04-20', '2026-04-27', '2026-05-04'), 0, 1)
    expect(dragged).toEqual({ period: 'own', from: '2026-04-20', to: '2026-05-03' })
  })

  test('ends with the last hour, not at its beginning', () => {
    const dragged = zoomedRange(series('hour', '2026-04-20T14:00+02:00', '2026-04-20T15:00+02:00'), 0, 1)
    expect(dragged.from).toBe('2026-04-20T14:00+02:00')
    expect(Date.parse(dragged.to)).toBe(Date.parse('2026-04-20T16:00+02:00'))
  })

  test('of hours that begin at half past is what those hours cover', () => {
    const dragged = zoomedRange(series('hour', '2026-04-20T14:30+05:30', '2026-04-20T15:30+05:30'), 0, 1)
    expect([dragged.from, dragged.to].map((each) => Date.parse(each))).toEqual([
      Date.parse('2026-04-20T09:00Z'),
      Date.parse('2026-04-20T11:00Z'),
    ])
  })

  test.each([
    ['2026-01', '2026-02', '2026-02-28'],
    ['2026-11', '2026-12', '2026-12-31'],
    ['2024-01', '2024-02', '2024-02-29'],
  ])('from %s to %s ends with the last day, %s', (from, to, end) => {
    expect(zoomedRange(series('month', from, to), 0, 1)).toEqual({
      period: 'own',
      from: `${from}-01`,
      to: end,
    })
  })
})
