import { QUARTER_US, quarterOf } from '../runtime/clock.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { countClicks } from './count-clicks.ts'

type LinkTimes = {
  workspaceId: number
  linkId: number
  /** When a span ends and the next one begins, in ascending order. The first one is before all clicks, or counts as if. */
  timesUs: readonly number[]
  nowUs: number
}

/**
 * A link's clicks from each of the times to the next one, and from the last one until now. Clicks are counted by the
 * quarter of an hour: null where one of them may belong to either side of a time.
 */
export async function clicksBetween(
  queries: ClickQueries,
  { timesUs, nowUs, ...scope }: LinkTimes,
): Promise<(number | null)[]> {
  const [first] = timesUs
  if (first === undefined) return []
  const range = { fromQuarter: quarterOf(first), toQuarter: quarterOf(nowUs) + 1 }
  const sums: (number | null)[] = timesUs.map(() => 0)
  const { steps } = await countClicks(queries, scope, { range, stepQuarters: 1 })
  for (const { quarter, clicks } of steps) {
    const startUs = quarter * QUARTER_US
    const endUs = (quarter + 1) * QUARTER_US
    const isIn = (at: number) => (at === 0 || timesUs[at]! < endUs) && (timesUs[at + 1] ?? Infinity) > startUs
    const places = clicks === 0 ? [] : timesUs.map((_, at) => at).filter(isIn)
    for (const at of places) {
      const before = sums[at]!
      sums[at] = places.length > 1 || before === null ? null : before + clicks
    }
  }
  return sums
}
