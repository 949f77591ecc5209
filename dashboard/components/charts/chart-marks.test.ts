import { expect, test } from 'bun:test'
import { chartMarks, placedMarks } from './chart-marks.ts'

const at = (day: number, hour = 12) => new Date(2026, 3, day, hour).toISOString()

test('a change is marked at the day, month or hour that it is in', () => {
  const days = ['2026-04-03', '2026-04-04', '2026-04-05']
  expect(chartMarks(days, [at(5, 0), at(4, 23), at(4, 1), at(2)])).toEqual([
    { index: 1, count: 2, lastAt: at(4, 23) },
    { index: 2, count: 1, lastAt: at(5, 0) },
  ])
  expect(chartMarks(['2026-03', '2026-04'], [at(30)])).toEqual([{ index: 1, count: 1, lastAt: at(30) }])
  const hours = ['2026-04-20T13:30+05:30', '2026-04-20T14:30+05:30']
  expect(chartMarks(hours, ['2026-04-20T08:59:59Z', '2026-04-20T09:00:00Z'])).toMatchObject([
    { index: 0, count: 1 },
    { index: 1, count: 1 },
  ])
  expect(chartMarks([], [at(1)])).toEqual([])
})

test('marks that would cover each other are one', () => {
  const marks = [0, 1, 9].map((index) => ({ index, count: 1, lastAt: `${index}` }))
  expect(placedMarks(marks, { points: 10, left: 40, width: 90 })).toEqual([
    { index: 0, count: 2, lastAt: '1', left: 40 },
    { index: 9, count: 1, lastAt: '9', left: 130 },
  ])
  expect(placedMarks(marks.slice(0, 1), { points: 1, left: 40, width: 90 })).toMatchObject([{ left: 85 }])
})
