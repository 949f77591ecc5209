import { dateOf } from '../../analytics/range.ts'

/** Changes in one point of a chart: how many, and the last of them. */
export type ChartMark = { index: number; count: number; lastAt: string }

/** `dates`: of the points, as the API names them, in the browser's time zone. Changes before the first are left out. */
export function chartMarks(dates: readonly string[], changes: readonly string[]): ChartMark[] {
  const marks = new Map<number, ChartMark>()
  for (const at of changes.toSorted()) {
    const index = dates.findLastIndex((date) => beginsBy(date, at))
    if (index < 0) continue
    marks.set(index, { index, count: (marks.get(index)?.count ?? 0) + 1, lastAt: at })
  }
  return [...marks.values()]
}

function beginsBy(date: string, at: string): boolean {
  if (date.includes('T')) return Date.parse(date) <= Date.parse(at)
  return date <= dateOf(Date.parse(at)).slice(0, date.length)
}

/** Where the marks are drawn: those that would cover each other are one. Lefts and width are in pixels. */
export function placedMarks(
  marks: readonly ChartMark[],
  { points, left, width }: { points: number; left: number; width: number },
): (ChartMark & { left: number })[] {
  const positions: (ChartMark & { left: number })[] = []
  for (const mark of marks) {
    const at = left + width * (points === 1 ? 0.5 : mark.index / (points - 1))
    const before = positions.at(-1)
    if (before === undefined || at - before.left >= MARK_WIDTH) positions.push({ ...mark, left: at })
    else
      positions[positions.length - 1] = { ...before, count: before.count + mark.count, lastAt: mark.lastAt }
  }
  return positions
}

/** Of their buttons. */
const MARK_WIDTH = 24
