import { expect, test } from 'bun:test'
import { splitsOf } from './axis-splits.ts'

test('as many labels as fit stand under the chart, the last point among them', () => {
  expect(splitsOf(7, { width: 900, labelWidth: 40 })).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(splitsOf(30, { width: 320, labelWidth: 40 })).toEqual([5, 11, 17, 23, 29])
  expect(splitsOf(1, { width: 320, labelWidth: 40 })).toEqual([0])
  expect(splitsOf(0, { width: 320, labelWidth: 40 })).toEqual([])
})

test('labels never touch, however many points there are', () => {
  for (const count of [2, 12, 24, 30, 90, 365, 2_500]) {
    for (const width of [200, 330, 640, 1_100]) {
      const labelWidth = 78
      const splits = splitsOf(count, { width, labelWidth })
      expect(splits.at(-1)).toBe(count - 1)
      const apart = ((splits[1] ?? Infinity) - splits[0]!) * (width / (count - 1))
      if (splits.length > 2) expect(apart).toBeGreaterThan(labelWidth)
    }
  }
})
