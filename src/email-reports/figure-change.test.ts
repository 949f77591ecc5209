import { expect, test } from 'bun:test'
import { figureChange } from './figure-change.ts'

// As in dashboard/analytics/stat-tiles.test.ts.
test.each([
  [140, 100, '+40% from 100'],
  [97, 100, '-3% from 100'],
  [0, 1_234, '-100% from 1,234'],
  [100, 100, 'No change'],
  [1_004, 1_000, 'No change'],
  [996, 1_000, 'No change'],
  [0, 0, 'No change'],
  [5, 0, 'New'],
  [5, null, 'New'],
] as const)('%p after %p', (now, before, change) => {
  expect(figureChange({ now, before })).toBe(change)
})
