import { expect, test } from 'bun:test'
import { followTotals, hearTotals, noteTotals } from './live-totals.ts'

const totals = (total_clicks: number, bot_clicks = 0) => ({ total_clicks, bot_clicks })

test('a page asks again only when the stream knows of more clicks than its answers did', () => {
  let refreshes = 0
  const leave = followTotals(() => void refreshes++)
  // The stream was first: there is nothing on the page yet that could be too old.
  hearTotals(totals(7, 1))
  expect(refreshes).toBe(0)
  noteTotals(totals(7, 1))
  hearTotals(totals(7, 1))
  expect(refreshes).toBe(0)
  hearTotals(totals(7, 2))
  expect(refreshes).toBe(1)
  // The answer was on its way before the stream told of the click after it.
  hearTotals(totals(9, 2))
  noteTotals(totals(8, 2))
  expect(refreshes).toBe(3)
  noteTotals(totals(9, 2))
  expect(refreshes).toBe(3)
  leave()
  hearTotals(totals(20))
  expect(refreshes).toBe(3)
})
