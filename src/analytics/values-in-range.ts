import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { ROWS_MAX } from '../clicks/queries/click-query.ts'
import type { Dimension } from '../store/click-dimensions.ts'
import type { Comparison } from './compare-range.ts'
import { type ClickScope, clicksOf, type Quarters } from './count-clicks.ts'

/** `comparison`: what the range is compared with; null or undefined where nothing is. */
export type ComparedRange = { range: Quarters; comparison: Comparison | null | undefined }

/** The values of a dimension that clicks have in the range, or in the time that it is compared with. */
export async function valuesInRange(
  queries: ClickQueries,
  scope: ClickScope,
  { range, comparison, dimension }: ComparedRange & { dimension: Dimension },
): Promise<string[]> {
  const fromQuarter = Math.min(range.fromQuarter, comparison?.before?.fromQuarter ?? Infinity)
  const [rows] = await queries.answer({
    ...clicksOf(scope, { ...range, fromQuarter }),
    counts: [],
    groups: [{ by: [dimension], top: ROWS_MAX }],
  })
  return rows!.map(({ keys }) => String(keys[0]))
}
