import { describe, expect, test } from 'bun:test'
import { endErrors, isoTime, localTime } from './zone-times.ts'

describe('a time of a schedule', () => {
  test.each([
    ['Europe/Berlin', '2026-12-01T09:00', '2026-12-01T08:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01T09:00', '2026-07-01T07:00:00.000Z'],
    ['America/New_York', '2026-12-31T23:30', '2027-01-01T04:30:00.000Z'],
    ['Asia/Kathmandu', '2026-12-01T00:00', '2026-11-30T18:15:00.000Z'],
    ['UTC', '', null],
    // An hour before and after the clocks change.
    ['Europe/Berlin', '2026-03-29T01:30', '2026-03-29T00:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:30', '2026-10-25T02:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-01-01T12:00', '2026-01-01T01:00:00.000Z'],
  ])('in %s, %s is %s', (zone, local, iso) => {
    expect(isoTime(local, zone)).toBe(iso)
    expect(localTime(iso, zone)).toBe(local)
  })

  test('that the clocks leave out is an hour later', () => {
    const iso = isoTime('2026-03-29T02:30', 'Europe/Berlin')!
    expect(localTime(iso, 'Europe/Berlin')).toBe('2026-03-29T03:30')
  })

  test('shows minutes, whatever is stored', () => {
    expect(localTime('2026-12-01T08:00:30.123456Z', 'UTC')).toBe('2026-12-01T08:00')
  })
})

const [START, LATER] = ['2026-09-03T07:00:00Z', '2026-09-03T07:01:00Z']
const REFUSED = ['The end must be after the start.']
const errors = (starts_at: string, expires_at: string) =>
  endErrors(REFUSED, { starts_at, expires_at }, 'Europe/Berlin')

test('an end that is not after the start is refused with the time of the start, in the zone of the form', () => {
  // Before AM, some engines write a narrow space.
  const withTime = expect.stringMatching(/^The end must be after the start, Sep 3, 2026, 9:00\sAM\.$/)
  expect(errors(START, '2026-09-01T07:00:00Z')).toEqual([withTime])
  expect(errors(START, START)).toEqual([withTime])
})

test('other errors about the end stay as they are, and none becomes none', () => {
  expect(errors(START, LATER)).toEqual(REFUSED)
  expect(errors('', LATER)).toEqual(REFUSED)
  expect(errors(START, '')).toEqual(REFUSED)
  expect(endErrors(undefined, { starts_at: LATER, expires_at: START }, 'UTC')).toBeUndefined()
})
