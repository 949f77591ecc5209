import { z } from '@hono/zod-openapi'
import type { Comparison } from '../../analytics/compare-range.ts'
import { isoMicroseconds, QUARTER_US } from '../../runtime/clock.ts'
import type { TimeRange } from '../../analytics/time-range.ts'
import { timestamp } from './schemas.ts'

const clicks = z.int().min(0).openapi({ example: 120 })

const at = (day: string, description: string) =>
  timestamp().openapi({ description, example: `2026-04-${day}T00:00:00.000000Z` })

const comparisonSchema = z
  .strictObject({
    from: at('14', 'Of what is compared of the range.'),
    to: at('20', 'Not included: what is not over is not compared.'),
    clicks,
    previous_from: at('08', 'Of the time before.'),
    previous_to: at('14', 'Not included.'),
    previous_clicks: clicks,
  })
  .openapi('ClicksComparison')

/** Of every report. */
export const comparedMeta = {
  comparison: comparisonSchema.nullable().optional().openapi({
    description:
      'With `compare` only; null where no hour, day, week or month of the range is over, and where the link or workspace was not there for all of the time before.',
  }),
}

/** Of one row of a breakdown. */
export const comparedRow = {
  comparison: z.strictObject({ clicks, previous_clicks: clicks }).optional().openapi({
    description: 'With `compare` only: the clicks of the two times that are compared in `meta`.',
  }),
}

/** Undefined: nothing is to be compared. Null: nothing can be. */
export type RequestedComparison = Comparison | null | undefined

type BothClicks = { clicks: number; previousClicks: number }

export function comparisonMeta(
  comparison: RequestedComparison,
  { clicks, previousClicks }: BothClicks,
): { comparison?: z.infer<typeof comparisonSchema> | null } {
  if (comparison === undefined) return {}
  if (comparison?.before == null) return { comparison: null }
  const { now, before } = comparison
  const isoOf = (quarter: number) => isoMicroseconds(quarter * QUARTER_US)
  return {
    comparison: {
      from: isoOf(now.fromQuarter),
      to: isoOf(now.toQuarter),
      clicks,
      previous_from: isoOf(before.fromQuarter),
      previous_to: isoOf(before.toQuarter),
      previous_clicks: previousClicks,
    },
  }
}

type RowsAndTotal = { rows: readonly { value: string; clicks: number }[]; total: number }
const NOTHING: RowsAndTotal = { rows: [], total: 0 }

/** Counts both times. `ofRow` and `meta` are what answers have of it. */
export async function countBoth(
  comparison: RequestedComparison,
  count: (range: TimeRange) => Promise<RowsAndTotal>,
) {
  const isCompared = comparison?.before != null
  const [now, before] = isCompared
    ? await Promise.all([count(comparison.now), count(comparison.before!)])
    : [NOTHING, NOTHING]
  const [clicksNow, clicksBefore] = [now, before].map(
    ({ rows }) => new Map(rows.map(({ value, clicks }) => [value, clicks])),
  )
  const ofRow = (value: string) =>
    isCompared
      ? {
          comparison: {
            clicks: clicksNow!.get(value) ?? 0,
            previous_clicks: clicksBefore!.get(value) ?? 0,
          },
        }
      : {}
  return { ofRow, meta: comparisonMeta(comparison, { clicks: now.total, previousClicks: before.total }) }
}
