import { QUARTER_US, quarterOf } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { countBySpan } from './count-clicks.ts'

type LinkTimes = {
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
  db: ReadOnlyDb,
  { linkId, timesUs, nowUs }: LinkTimes,
): Promise<(number | null)[]> {
  const [first] = timesUs
  if (first === undefined) return []
  const cuts = timesUs.flatMap((time) => [quarterOf(time), Math.ceil(time / QUARTER_US)])
  const spans = between([...new Set([...cuts, quarterOf(nowUs) + 1])].toSorted((a, b) => a - b))
  const counts = await countBySpan(db, linkId, spans)
  const sums: (number | null)[] = timesUs.map(() => 0)
  for (const [i, { fromQuarter, toQuarter }] of spans.entries()) {
    const clicks = counts[i]!
    const [startUs, endUs] = [fromQuarter * QUARTER_US, toQuarter * QUARTER_US]
    const isIn = (at: number) => (at === 0 || timesUs[at]! < endUs) && (timesUs[at + 1] ?? Infinity) > startUs
    const places = clicks === 0 ? [] : timesUs.map((_, at) => at).filter(isIn)
    for (const at of places) {
      const before = sums[at]!
      sums[at] = places.length > 1 || before === null ? null : before + clicks
    }
  }
  return sums
}

const between = (cuts: readonly number[]) =>
  cuts.slice(1).map((toQuarter, i) => ({ fromQuarter: cuts[i]!, toQuarter }))
