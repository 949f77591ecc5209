import type { ClickPoint } from '../../../src/http/endpoints/browser-types.ts'
import { dateOf } from '../../analytics/range.ts'
import type { Measure } from './measures.ts'

/** `running`: the index of the interval that is not complete yet. */
export type Series = {
  points: ClickPoint[]
  measure: Measure
  running: number | undefined
  /** Of each point, the clicks that other programs had counted. */
  imported?: readonly number[] | undefined
}

export type Line = { kind: 'previous' | 'imported' | 'over' | 'running'; counts: (number | null)[] }

/** A link's first hours are bars: a line needs two points. */
export const hasBars = ({ points }: Series): boolean =>
  points.length <= BARS_MAX && points.every(({ date }) => date.includes('T'))

const BARS_MAX = 12

/**
 * The time before where it is compared, and the counts up to the last complete point. If one is running, another line leads from
 * there to it. It is dotted, so that a day that has just begun does not look like a drop, and left out as long as it is 0.
 */
export function seriesLines(series: Series): Line[] {
  const { points, measure, running = points.length } = series
  const counts = points.map((point) => point[measure])
  const lines: Line[] = [{ kind: 'over', counts: counts.map((count, at) => (at < running ? count : null)) }]
  const imported = importedOf(series)
  // On top of the others, whatever of them is over.
  if (imported.some((count) => count > 0))
    lines.unshift({ kind: 'imported', counts: counts.map((count, at) => count + (imported[at] ?? 0)) })
  if (points.some(({ previous }) => previous !== undefined)) {
    lines.unshift({ kind: 'previous', counts: points.map(({ previous }) => previous?.[measure] ?? null) })
  }
  if (running >= points.length) return lines
  const first = hasBars(series) ? running : running - 1
  const isShown = counts[running] !== 0 || running === 0
  lines.push({ kind: 'running', counts: counts.map((count, at) => (isShown && at >= first ? count : null)) })
  return lines
}

/** They are clicks, and nothing else is known of them. */
const importedOf = ({ measure, imported = [] }: Series): readonly number[] =>
  measure === 'clicks' ? imported : []

/** Space between two labels. */
const GAP = 24

/** Indexes of as many points as have space for a label. The last point always has one. */
export function splitsOf(
  count: number,
  { width, labelWidth }: { width: number; labelWidth: number },
): number[] {
  const fitting = Math.max(2, Math.floor(width / (labelWidth + GAP)))
  const every = Math.max(1, Math.ceil(count / fitting))
  const splits: number[] = []
  for (let at = count - 1; at >= 0; at -= every) splits.unshift(at)
  return splits
}

/** Changes in one point of a chart: how many, and the last of them. */
type ChartMark = { index: number; count: number; lastAt: string }

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
