import { describe, expect, test } from 'bun:test'
import { isoTime, localTime } from './zone-times.ts'

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
