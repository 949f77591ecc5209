import { expect, test } from 'bun:test'
import type { ClickView } from '../../src/http/endpoints/browser-types.ts'
import { clicksOfLastMinute, type TotalAt, withTotal } from './last-minute.ts'

test('clicks of the last minute are the difference of two totals once the page is open that long', () => {
  let totals: TotalAt[] = []
  for (const [second, clicks] of Object.entries({ 0: 100, 20: 110, 50: 150, 90: 160 }))
    totals = withTotal(totals, { atMs: Number(second) * 1_000, clicks })
  const known = { totals, clicks: [], clicksMax: 20 }
  expect(clicksOfLastMinute(known, 90_000)).toBe(50)
  expect(clicksOfLastMinute(known, 115_000)).toBe(10)
  expect(clicksOfLastMinute(known, 160_000)).toBe(0)
  // What was before the minute of the latest is gone.
  expect(totals.map(({ atMs }) => atMs)).toEqual([20_000, 50_000, 90_000])
})

test('before that, they are counted among the latest clicks, unless there are more than those', () => {
  const clicks = [58_000, 40_000, 1_000, -1_000].map(clickAt)
  const known = { totals: [{ atMs: 50_000, clicks: 7 }], clicks, clicksMax: 20 }
  expect(clicksOfLastMinute(known, 60_000)).toBe(3)
  expect(clicksOfLastMinute({ ...known, clicksMax: 3 }, 60_000)).toBeUndefined()
  expect(clicksOfLastMinute({ totals: [], clicks: [], clicksMax: 20 }, 60_000)).toBe(0)
})

const clickAt = (ms: number) => ({ clicked_at: new Date(ms).toISOString() }) as ClickView
