import type { ClickPoint } from '../../src/http/dashboard-api/dashboard-types.ts'

/** `running`: the place of the point that is not over. */
export type Series = { points: ClickPoint[]; running: number | undefined }

type Line = (number | null)[]

/**
 * Clicks and visitors, up to the last point that is over. Where one is not, both once more from there to it: these lines
 * are dotted, so that a day that has just begun does not look like one without clicks.
 */
export function seriesLines({ points, running = points.length }: Series): Line[] {
  const lines = [points.map(({ clicks }) => clicks), points.map(({ unique_visitors: visitors }) => visitors)]
  const over = lines.map((line) => line.map((count, at) => (at < running ? count : null)))
  if (running >= points.length) return over
  return [...over, ...lines.map((line) => line.map((count, at) => (at >= running - 1 ? count : null)))]
}
