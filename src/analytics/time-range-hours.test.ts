import { describe, expect, test } from 'bun:test'
import { isoMicroseconds, QUARTER_US } from '../runtime/clock.ts'
import { readTimeRange, type TimeRange } from './time-range.ts'

const labels = ({ buckets }: TimeRange) => buckets.map(({ label }) => label)
const startsOf = ({ buckets }: TimeRange) =>
  buckets.map(({ fromQuarter }) => isoMicroseconds(fromQuarter * QUARTER_US).slice(0, 16))

describe('an hour of a zone that is not whole hours off', () => {
  const hours = (day: string, timezone: string) =>
    readTimeRange({ from: day, to: day, timezone, granularity: 'hour', period: undefined }, 0, 0)

  test.each([
    ['Asia/Kolkata', '2026-04-10T00:00+05:30', '2026-04-10T23:00+05:30', '2026-04-09T18:30'],
    ['Asia/Kathmandu', '2026-04-10T00:00+05:45', '2026-04-10T23:00+05:45', '2026-04-09T18:15'],
    ['America/St_Johns', '2026-04-10T00:00-02:30', '2026-04-10T23:00-02:30', '2026-04-10T02:30'],
    ['Australia/Lord_Howe', '2026-04-10T00:00+10:30', '2026-04-10T23:00+10:30', '2026-04-09T13:30'],
  ])('in %s is an hour of its clock', (timezone, first, last, firstStart) => {
    const range = hours('2026-04-10', timezone)
    expect([labels(range)[0], labels(range).at(-1), labels(range).length]).toEqual([first, last, 24])
    expect(startsOf(range)[0]).toBe(firstStart)
  })

  test.each([
    ['Asia/Kolkata', '2026-04-10'],
    ['Asia/Kathmandu', '2026-04-10'],
    ['America/St_Johns', '2026-03-08'],
    ['America/St_Johns', '2026-11-01'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['America/New_York', '2026-03-08'],
    ['Europe/Berlin', '2026-10-25'],
  ])('in %s on %s is labeled with its very start, each once', (timezone, day) => {
    const range = hours(day, timezone)
    expect(labels(range).map((label) => new Date(label).toISOString().slice(0, 16))).toEqual(startsOf(range))
    expect(new Set(labels(range)).size).toBe(Math.ceil((range.toQuarter - range.fromQuarter) / 4))
  })

  test('on a day with a change by half an hour follows the clock', () => {
    const timezone = 'Australia/Lord_Howe'
    expect(labels(hours('2026-04-05', timezone)).slice(0, 4)).toEqual([
      '2026-04-05T00:00+11:00',
      '2026-04-05T01:00+11:00',
      '2026-04-05T01:30+10:30',
      '2026-04-05T02:00+10:30',
    ])
    expect(labels(hours('2026-10-04', timezone)).slice(0, 4)).toEqual([
      '2026-10-04T00:00+10:30',
      '2026-10-04T01:00+10:30',
      '2026-10-04T02:30+11:00',
      '2026-10-04T03:00+11:00',
    ])
  })

  test('that the clock jumps within lasts an hour, also where the range begins after the jump', () => {
    const [timezone, granularity] = ['Pacific/Chatham', 'hour'] as const
    const from = (time: string) =>
      labels(readTimeRange({ from: time, to: '2026-09-27', timezone, granularity, period: undefined }, 0, 0))
    const after = ['2026-09-27T04:00+13:45', '2026-09-27T05:00+13:45']
    expect(from('2026-09-26T13:15:00Z').slice(0, 3)).toEqual(['2026-09-27T02:00+12:45', ...after])
    expect(from('2026-09-26T14:00:00Z').slice(0, 3)).toEqual(['2026-09-27T02:00+12:45', ...after])
    expect(from('2026-09-26T14:15:00Z').slice(0, 2)).toEqual(after)
  })
})
