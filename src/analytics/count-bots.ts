import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { invalid } from '../errors/refusal.ts'
import { type BreakdownRow, percentageOf } from './click-counts.ts'
import { visitorFilters } from './click-filters.ts'
import { type ClickScope, clicksOf, type Quarters } from './count-clicks.ts'

/** Visits of bots by their names, most first; '' for those without a known one. Refuses filters by what is not known of bots. */
export async function countBots(
  queries: ClickQueries,
  { filters = {}, ...scope }: ClickScope,
  { range, limit }: { range: Quarters; limit: number },
): Promise<{ rows: BreakdownRow[]; total: number }> {
  const names = visitorFilters(filters)
  if (names.length > 0)
    throw invalid(
      Object.fromEntries(
        names.map((name) => [name, ['Only the names of bots are known, so no other filter finds any.']]),
      ),
    )
  const [rows] = await queries.answer({
    ...clicksOf(scope, range),
    // Of people there is always a kind of device.
    filters: { ...filters, device: { values: [''] } },
    groups: [{ by: ['browser'] }],
  })
  const total = rows!.reduce((sum, { bots }) => sum + bots, 0)
  return {
    rows: rows!
      .filter(({ bots }) => bots > 0)
      .map(({ keys: [name], bots }) => ({
        value: String(name),
        clicks: bots,
        percentage: percentageOf(bots, total),
      }))
      .toSorted((one, other) => other.clicks - one.clicks || (one.value < other.value ? -1 : 1))
      .slice(0, limit),
    total,
  }
}
