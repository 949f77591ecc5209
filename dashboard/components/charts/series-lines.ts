import type { ClickPoint } from '../../../src/http/endpoints/browser-types.ts'

/** `running`: the index of the interval that is not complete yet. */
export type Series = { points: ClickPoint[]; running: number | undefined }

type Line = (number | null)[]

/** A link's first hours are bars: a line needs two points. */
export const hasBars = ({ points }: Series): boolean =>
  points.length <= BARS_MAX && points.every(({ date }) => date.includes('T'))

const BARS_MAX = 12

/**
 * Clicks and visitors up to the last complete point. If one is running, two more lines lead from there to it. They are
 * dotted, so that a day that has just begun does not look like a drop, and left out as long as they are 0.
 */
export function seriesLines(series: Series): Line[] {
  const { points, running = points.length } = series
  const first = hasBars(series) ? running : running - 1
  const lines = [points.map(({ clicks }) => clicks), points.map(({ unique_visitors: visitors }) => visitors)]
  const over = lines.map((line) => line.map((count, at) => (at < running ? count : null)))
  if (running >= points.length) return over
  const dotted = lines.map((line) =>
    line.map((count, at) => (at >= first && (line[running] !== 0 || running === 0) ? count : null)),
  )
  return [...over, ...dotted]
}

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
