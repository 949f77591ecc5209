import { type Clock, DAY_US, dayOf, quarterOf } from '../runtime/clock.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { countByLinkAndDay } from './count-clicks.ts'

export const SPARKLINE_DAYS = 30

/** The clicks of each link of a workspace in the last 30 UTC days, today last. */
export async function sparklines(
  { clickQueries, clock }: { clickQueries: ClickQueries; clock: Clock },
  { workspaceId, linkIds }: { workspaceId: number; linkIds: readonly number[] },
): Promise<Map<number, number[]>> {
  const lines = new Map(linkIds.map((id) => [id, Array<number>(SPARKLINE_DAYS).fill(0)]))
  if (linkIds.length === 0) return lines
  const today = dayOf(clock.nowUs())
  const firstDay = today - SPARKLINE_DAYS + 1
  const range = { fromQuarter: quarterOf(firstDay * DAY_US), toQuarter: quarterOf((today + 1) * DAY_US) }
  const ofLinks = { workspaceId, linkIds, range }
  for (const { id, day, clicks: count } of await countByLinkAndDay(clickQueries, ofLinks)) {
    lines.get(id)![day - firstDay]! += count
  }
  return lines
}
