import { z } from '@hono/zod-openapi'
import { clickReport, type ClickReport, clicksOfValue } from '../../analytics/click-counts.ts'
import type { Comparison } from '../../analytics/compare-range.ts'
import type { ClickScope } from '../../analytics/count-clicks.ts'
import { COMPARISONS } from '../../analytics/range-parameters.ts'
import type { TimeRange } from '../../analytics/time-range.ts'
import type { ClickQueries } from '../../clicks/queries/click-queries.ts'
import { VIAS } from '../../clicks/journal/click-extras.ts'
import { pointSchema } from './analytics-view.ts'

// What the chart of the dashboard draws, and the time that it is compared with.

const count = z.int().min(0)
const countsSchema = z.strictObject({ clicks: count, unique_visitors: count, qr_scans: count, bots: count })
export type Counts = z.infer<typeof countsSchema>

const datedCounts = z.strictObject({ ...countsSchema.shape, date: pointSchema.shape.date })
type DatedCounts = z.infer<typeof datedCounts>

export const clickPoint = z.strictObject({
  ...datedCounts.shape,
  previous: datedCounts
    .optional()
    .openapi({ description: 'The same hour, day, week or month of the time that it is compared with.' }),
})
export type ClickPoint = z.infer<typeof clickPoint>

export const comparedCounts = z
  .strictObject({
    compare: z.enum(COMPARISONS),
    points: z.int(),
    now: countsSchema,
    before: countsSchema.nullable(),
  })
  .openapi({
    description:
      'The first `points` of the series, which are over, and the same ones of the time before, which is the period before or the same one a year earlier; `before` is null where the link, or the account, was not there for all of it.',
  })
type ComparedCounts = z.infer<typeof comparedCounts>

/** The points of a range, of its report. */
export async function pointsOf(
  queries: ClickQueries,
  scope: ClickScope,
  { range, series, breakdowns }: { range: TimeRange } & ClickReport<'via'>,
): Promise<DatedCounts[]> {
  const hasScans = breakdowns.via.some(({ value }) => value === 'qr')
  const scans = hasScans ? await clicksOfValue(queries, scope, { range, dimension: 'via', value: 'qr' }) : []
  return series.map(({ label, clicks, visitors, bots }, at) => ({
    date: label,
    clicks,
    unique_visitors: visitors,
    qr_scans: scans[at] ?? 0,
    bots,
  }))
}

/** Those of a range with which another is compared. */
export async function pointsBefore(
  queries: ClickQueries,
  scope: ClickScope,
  range: TimeRange,
): Promise<DatedCounts[]> {
  const report = await clickReport(queries, scope, { range, dimensions: ['via'], limit: VIAS.length })
  return pointsOf(queries, scope, { range, ...report })
}

/** Each point with the one that it is compared with. `before`: null if there is nothing to compare with. */
export function comparePoints(
  points: readonly DatedCounts[],
  before: readonly DatedCounts[] | null,
  comparison: Comparison | null,
): { timeseries: ClickPoint[]; comparison: ComparedCounts | null } {
  if (comparison === null) return { timeseries: [...points], comparison }
  const { compare, buckets } = comparison
  return {
    timeseries: points.map((point, at) => {
      const previous = at < buckets ? before?.[at] : undefined
      return previous === undefined ? point : { ...point, previous }
    }),
    comparison: {
      compare,
      points: buckets,
      now: sumPoints(points.slice(0, buckets)),
      before: before && sumPoints(before),
    },
  }
}

export function sumPoints(points: readonly DatedCounts[]): Counts {
  const sumOf = (name: keyof Counts) => points.reduce((sum, point) => sum + point[name], 0)
  return {
    clicks: sumOf('clicks'),
    unique_visitors: sumOf('unique_visitors'),
    qr_scans: sumOf('qr_scans'),
    bots: sumOf('bots'),
  }
}
