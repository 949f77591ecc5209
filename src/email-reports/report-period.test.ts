import { describe, expect, test } from 'bun:test'
import { datesOf, lastPeriod, nextReportUs, type ReportFrequency, spanOf } from './report-period.ts'

test.each([
  // Monday at seven in Berlin, and the moment before.
  ['weekly', 'Europe/Berlin', '2026-11-23T06:00:00Z', '2026-11-16', '2026-11-22'],
  ['weekly', 'Europe/Berlin', '2026-11-23T05:59:59Z', '2026-11-09', '2026-11-15'],
  // Sunday night in Los Angeles, when it is Monday in UTC.
  ['weekly', 'America/Los_Angeles', '2026-11-23T07:59:00Z', '2026-11-09', '2026-11-15'],
  ['weekly', 'America/Los_Angeles', '2026-11-23T15:00:00Z', '2026-11-16', '2026-11-22'],
  ['weekly', 'Asia/Kolkata', '2026-11-23T01:30:00Z', '2026-11-16', '2026-11-22'],
  ['weekly', 'UTC', '2026-11-29T23:59:59Z', '2026-11-16', '2026-11-22'],
  ['weekly', 'UTC', '2027-01-04T07:00:00Z', '2026-12-28', '2027-01-03'],
  ['monthly', 'Europe/Berlin', '2026-11-01T06:00:00Z', '2026-10-01', '2026-10-31'],
  ['monthly', 'Europe/Berlin', '2026-11-01T05:59:59Z', '2026-09-01', '2026-09-30'],
  ['monthly', 'UTC', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
  ['monthly', 'UTC', '2027-01-01T06:59:59Z', '2026-11-01', '2026-11-30'],
] as [ReportFrequency, string, string, string, string][])(
  'the last %s period in %s at %s is %s to %s',
  (frequency, timezone, now, from, to) => {
    expect(datesOf(lastPeriod({ frequency, timezone }, usOf(now)))).toEqual({ from, to })
  },
)

describe.each(['weekly', 'monthly'] as const)('the next %s report', (frequency) => {
  test.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ])('is due at seven in the morning of %s, after each period of four years', (timezone) => {
    const schedule = { frequency, timezone }
    let nowUs = usOf('2024-01-01T12:00:00Z')
    for (let report = 0; report < 48; report++) {
      const { to } = lastPeriod(schedule, nowUs)
      const nextUs = nextReportUs(schedule, to)
      expect(lastPeriod(schedule, nextUs - 1).to).toBe(to)
      expect(lastPeriod(schedule, nextUs).from).toBe(to)
      const at = Temporal.Instant.fromEpochMilliseconds(nextUs / 1000).toZonedDateTimeISO(timezone)
      expect(at.toPlainTime().toString()).toBe('07:00:00')
      expect(frequency === 'weekly' ? at.dayOfWeek : at.day).toBe(1)
      nowUs = nextUs + 3_600_000_000
    }
  })
})

test('the span of a week in which the clocks change has whole days', () => {
  const period = lastPeriod({ frequency: 'weekly', timezone: 'Europe/Berlin' }, usOf('2026-10-26T12:00:00Z'))
  expect(spanOf(period, 'Europe/Berlin')).toEqual({
    from: '2026-10-19T00:00:00+02:00',
    to: '2026-10-25T23:59:59+01:00',
  })
})

const usOf = (iso: string) => Date.parse(iso) * 1000
