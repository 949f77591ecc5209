import { expect, test } from 'bun:test'
import { seriesLines } from './series-lines.ts'

const points = [4, 6, 2].map((clicks) => ({ date: '', clicks, unique_visitors: clicks / 2, bots: 0 }))

test('the point that is not over is on lines of its own, which begin at the last one that is', () => {
  expect(seriesLines({ points, running: 2 })).toEqual([
    [4, 6, null],
    [2, 3, null],
    [null, 6, 2],
    [null, 3, 1],
  ])
})

test('where all points are over there are two lines, and where none is they are empty', () => {
  expect(seriesLines({ points, running: undefined })).toEqual([
    [4, 6, 2],
    [2, 3, 1],
  ])
  expect(seriesLines({ points: points.slice(0, 1), running: 0 })).toEqual([[null], [null], [4], [2]])
})
