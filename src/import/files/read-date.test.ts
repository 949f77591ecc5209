import { describe, expect, test } from 'bun:test'
import { provenOrder, readTime } from './read-date.ts'

const AFTERNOON = '2025-12-31T14:05:00.000Z'
const MIDNIGHT = '2025-12-31T00:00:00.000Z'

test.each([
  // Databases.
  ['2025-12-31 14:05:00+00', AFTERNOON],
  ['2025-12-31 15:05:00.000000+01', AFTERNOON],
  ['2025-12-31T09:35:00-04:30', AFTERNOON],
  ['2025-12-31 14:05:00 UTC', AFTERNOON],
  ['1767189900.25', '2025-12-31T14:05:00.250Z'],
  // Spreadsheets.
  ['31.12.2025 14:05', AFTERNOON],
  ['31.12.25', MIDNIGHT],
  ['12/31/25 2:05 PM', AFTERNOON],
  ['31/12/25 02:05:00 p.m.', AFTERNOON],
  ['2025/12/31 14:05', AFTERNOON],
  ['2025-12-31 2:05:00 PM', AFTERNOON],
  ['2025-12-31 2:05:00', '2025-12-31T02:05:00.000Z'],
  ['46022,586806', '2025-12-31T14:05:00.000Z'],
  ['31-Dec-25', MIDNIGHT],
  ['31 Dec 2025 12:05 AM', '2025-12-31T00:05:00.000Z'],
  // Programs.
  ['Dec 31, 2025, 2:05\u202fPM', AFTERNOON],
  ['Wednesday, December 31, 2025 at 2:05 PM', AFTERNOON],
  ['Wed, 31 Dec 2025 15:05:00 +0100', AFTERNOON],
  ['Wed Dec 31 14:05:00 +0000 2025', AFTERNOON],
  ['Wed Dec 31 2025 15:05:00 GMT+0100 (Central European Standard Time)', AFTERNOON],
  ['December 31st, 2025', MIDNIGHT],
])('%s is read', (written, time) => {
  expect(readTime(written, [])).toBe(time)
})

describe('what could be another date is left out', () => {
  test.each([
    'Mar 5',
    'Feb 30, 2026',
    '31.02.2026',
    '25-12-31',
    '2025-12-31 14:05:00 CET',
    '2025-12-31 13:05 PM',
    '2025-12-31 24:01',
    '0000-00-00 00:00:00',
    '1.76719E+12',
  ])('%s', (written) => {
    const lost: string[] = []
    expect(readTime(written, lost)).toBeUndefined()
    expect(lost).toEqual([`"${written}" is no date that can be read, so it is left out.`])
  })
})

test.each([
  ['12/31/25 2:05 PM', 'monthFirst'],
  ['31-12-2025', 'dayFirst'],
  ['12/12/2025', undefined],
  ['31.12.2025', undefined],
] as const)('%s proves %p', (written, order) => {
  expect(provenOrder(written)).toBe(order)
})

test('a long text is no date', () => {
  expect(provenOrder(`12${' '.repeat(1_000_000)}31`)).toBeUndefined()
})
