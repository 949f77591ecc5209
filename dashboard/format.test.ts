import { describe, expect, test } from 'bun:test'
import {
  calendarDay,
  cutMiddle,
  hostOf,
  relativeTime,
  safeHref,
  shortNumber,
  timeAhead,
  waitText,
  withoutScheme,
} from './format.ts'
import { pointLabel } from './later-format.ts'
import { nowMs } from './now.ts'

const ago = (ms: number) => new Date(nowMs() - ms).toISOString()
const HOUR_MS = 3_600_000

describe('numbers', () => {
  test('are whole up to 99,999 and short from there', () => {
    expect([0, 1_234, 99_999, 128_340, 4_200_000].map(shortNumber)).toEqual([
      '0',
      '1,234',
      '99,999',
      '128.3K',
      '4.2M',
    ])
  })
})

describe('times', () => {
  test('to wait are seconds, and minutes from a minute and a half on', () => {
    expect([0.2, 89, 90, 3_540].map(waitText)).toEqual(['1 sec', '89 sec', '2 min', '59 min'])
  })

  test('are relative for a week, then dates', () => {
    expect(relativeTime(ago(3 * HOUR_MS))).toBe('3 hours ago')
    expect(relativeTime(ago(6 * 24 * HOUR_MS))).toBe('6 days ago')
    expect(relativeTime('2001-04-20T09:30:00.123456Z')).toBe('Apr 20, 2001')
  })

  test('ahead are relative, however far', () => {
    expect(timeAhead(ago(-9 * 24 * HOUR_MS))).toBe('in 9 days')
    expect(timeAhead(ago(-24 * HOUR_MS - 60_000))).toBe('tomorrow')
    expect(timeAhead(ago(-5 * HOUR_MS - 60_000))).toBe('in 5 hours')
  })

  test('have a year only where it is another one', () => {
    expect(calendarDay(`${new Date().getFullYear()}-03-04T12:00:00Z`)).toBe('Mar 4')
    expect(calendarDay('2001-03-04T12:00:00Z')).toBe('Mar 4, 2001')
  })

  test('of a series are labelled by their steps, hours in the time zone that they came in', () => {
    expect(pointLabel('2026-04')).toBe('Apr 2026')
    expect(pointLabel('2026-04-20')).toBe('Apr 20')
    expect(pointLabel('2026-04-20T14:00+2:00')).toMatch(/^Apr 20, (14:00|2:00\sPM)$/)
    expect(pointLabel('2026-04-20T14:45+05:45')).toMatch(/^Apr 20, (14:45|2:45\sPM)$/)
  })
})

describe('URLs', () => {
  test('lose their middle, not their ends', () => {
    const cut = cutMiddle('https://example.com/a/very/long/path/to/the/end.html', 24)
    expect([cut.length, cut.startsWith('https://'), cut.endsWith('nd.html')]).toEqual([24, true, true])
    expect(cutMiddle('short', 24)).toBe('short')
  })

  test('are shown without scheme, and known by their host', () => {
    expect(withoutScheme('https://go.example.com/launch')).toBe('go.example.com/launch')
    expect(hostOf('https://www.example.com/a')).toBe('example.com')
    expect(hostOf('no address')).toBe('no address')
    expect(hostOf('tel:+4930123456')).toBe('tel:+4930123456')
  })

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    '//example.com',
    '',
  ])('%j becomes no link', (url) => expect(safeHref(url)).toBeUndefined())

  test('of the web become links', () => {
    for (const url of ['https://example.com', 'HTTP://example.com/a']) expect(safeHref(url)).toBe(url)
  })
})
