import { expect, test } from 'bun:test'
import { chartMarks, hasBars, placedMarks, seriesLines, splitsOf } from './series-lines.ts'

const pointOf = (clicks: number) => ({ date: '', clicks, unique_visitors: clicks / 2, qr_scans: 1, bots: 0 })
const points = [4, 6, 2].map(pointOf)
const measure = 'clicks'

test('the point that is not over is on a line of its own, which begins at the last one that is', () => {
  expect(seriesLines({ points, measure, running: 2 })).toEqual([
    { kind: 'over', counts: [4, 6, null] },
    { kind: 'running', counts: [null, 6, 2] },
  ])
  expect(seriesLines({ points, measure: 'unique_visitors', running: 2 })).toEqual([
    { kind: 'over', counts: [2, 3, null] },
    { kind: 'running', counts: [null, 3, 1] },
  ])
})

test('where all points are over there is one line, and where none is it is empty', () => {
  expect(seriesLines({ points, measure, running: undefined })).toEqual([{ kind: 'over', counts: [4, 6, 2] }])
  expect(seriesLines({ points: points.slice(0, 1), measure, running: 0 })).toEqual([
    { kind: 'over', counts: [null] },
    { kind: 'running', counts: [4] },
  ])
})

test('the time before is behind the other lines, as far as it is compared', () => {
  const compared = points.map((point, at) => (at < 2 ? { ...point, previous: pointOf(at + 7) } : point))
  expect(seriesLines({ points: compared, measure, running: 2 })).toEqual([
    { kind: 'previous', counts: [7, 8, null] },
    { kind: 'over', counts: [4, 6, null] },
    { kind: 'running', counts: [null, 6, 2] },
  ])
})

test('an hour that has just begun does not fall to 0', () => {
  const begun = [...points, pointOf(0)]
  expect(seriesLines({ points: begun, measure, running: 3 })[1]).toEqual({
    kind: 'running',
    counts: [null, null, null, null],
  })
})

test('the first hours are bars, and each is complete or running', () => {
  const hours = points.map((point, hour) => ({ ...point, date: `2026-11-26T0${hour}:00:00Z` }))
  expect(hasBars({ points: hours, measure, running: 2 })).toBe(true)
  expect(seriesLines({ points: hours, measure, running: 2 })[1]).toEqual({
    kind: 'running',
    counts: [null, null, 2],
  })
  expect(hasBars({ points, measure, running: 2 })).toBe(false)
})

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

const at = (day: number, hour = 12) => new Date(2026, 3, day, hour).toISOString()

test('a change is marked at the day, week, month or hour that it is in', () => {
  const days = ['2026-04-03', '2026-04-04', '2026-04-05']
  expect(chartMarks(days, [at(5, 0), at(4, 23), at(4, 1), at(2)])).toEqual([
    { index: 1, count: 2, lastAt: at(4, 23) },
    { index: 2, count: 1, lastAt: at(5, 0) },
  ])
  expect(chartMarks(['2026-03', '2026-04'], [at(30)])).toEqual([{ index: 1, count: 1, lastAt: at(30) }])
  expect(chartMarks(['2026-04-06', '2026-04-13'], [at(12, 23), at(13, 0)])).toMatchObject([
    { index: 0, count: 1 },
    { index: 1, count: 1 },
  ])
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
