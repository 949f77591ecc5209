import { expect, test } from 'bun:test'
import { clicksBadge } from './share-badge.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1_250, '1.3K'],
  [41_870, '41.9K'],
  [3_000_000_000, '3B'],
])('%d clicks are "%s" on the badge, in a box that fits', (clicks, text) => {
  const badge = clicksBadge(clicks)
  expect(badge).toContain(`>${text}</text>`)
  expect(badge).toContain(`<title>clicks: ${clicks.toLocaleString('en-US')}</title>`)
  const number = (pattern: RegExp) => Number(pattern.exec(badge)![1])
  const [width, x] = [number(/ width="(\d+)"/), number(/<text x="(\d+)"[^>]*>[^c]/)]
  const length = Number([...badge.matchAll(/textLength="(\d+)"/g)].at(-1)![1])
  expect(x + length).toBeLessThanOrEqual(width)
})
