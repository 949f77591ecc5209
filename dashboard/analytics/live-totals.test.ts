import { expect, test } from 'bun:test'
import { followTotals, onTotals, noteTotals } from './live-totals.ts'

const totals = (total_clicks: number, bot_clicks = 0) => ({ total_clicks, bot_clicks })

test('a page asks again only when the stream knows of more clicks than its answers did, or of fewer than before', () => {
  let refreshes = 0
  const leave = followTotals(() => void refreshes++)
  // The page shows nothing yet that could be outdated.
  onTotals(totals(7, 1))
  expect(refreshes).toBe(0)
  noteTotals(totals(7, 1))
  onTotals(totals(7, 1))
  expect(refreshes).toBe(0)
  onTotals(totals(7, 2))
  expect(refreshes).toBe(1)
  // The response was sent before the click that the stream reports.
  onTotals(totals(9, 2))
  noteTotals(totals(8, 2))
  expect(refreshes).toBe(3)
  noteTotals(totals(9, 2))
  expect(refreshes).toBe(3)
  // Clicks were deleted.
  expect([onTotals(totals(9, 2)), onTotals(totals(4))]).toEqual([false, true])
  expect(refreshes).toBe(4)
  noteTotals(totals(4))
  expect(refreshes).toBe(4)
  leave()
  onTotals(totals(20))
  expect(refreshes).toBe(4)
})
