import { type Clock, DAY_US, dayOf, quarterOf } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { countByLinkAndDay } from './count-clicks.ts'

export const SPARKLINE_DAYS = 30

/** The clicks of each link in the last 30 UTC days, today last. */
export async function sparklines(
  { db, clock }: { db: ReadOnlyDb; clock: Clock },
  linkIds: readonly number[],
): Promise<Map<number, number[]>> {
  const lines = new Map(linkIds.map((id) => [id, Array<number>(SPARKLINE_DAYS).fill(0)]))
  if (linkIds.length === 0) return lines
  const today = dayOf(clock.nowUs())
  const firstDay = today - SPARKLINE_DAYS + 1
  const range = { fromQuarter: quarterOf(firstDay * DAY_US), toQuarter: quarterOf((today + 1) * DAY_US) }
  for (const { id, day, clicks } of await countByLinkAndDay(db, linkIds, range)) {
    lines.get(id)![day - firstDay]! += clicks
  }
  return lines
}
