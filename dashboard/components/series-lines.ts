import type { ClickPoint } from '../../src/http/dashboard-api/types/analytics-types.ts'

/** `running`: the index of the interval that is not complete yet. */
export type Series = { points: ClickPoint[]; running: number | undefined }

type Line = (number | null)[]

/**
 * Clicks and visitors up to the last complete point. If one is running, two more lines lead from there to it. They are
 * dotted, so that a day that has just begun does not look like a drop.
 */
export function seriesLines({ points, running = points.length }: Series): Line[] {
  const lines = [points.map(({ clicks }) => clicks), points.map(({ unique_visitors: visitors }) => visitors)]
  const over = lines.map((line) => line.map((count, at) => (at < running ? count : null)))
  if (running >= points.length) return over
  return [...over, ...lines.map((line) => line.map((count, at) => (at >= running - 1 ? count : null)))]
}
