import { z } from '@hono/zod-openapi'
import type { ImportedReport } from '../../analytics/count-imported.ts'
import { UTM_NAMES } from '../../links/utm-parameters.ts'
import { REPORT_DIMENSION_NAMES, REPORT_DIMENSIONS } from '../../analytics/report-dimensions.ts'
import { IMPORTED_DIMENSIONS } from '../../clicks/imported/imported-clicks.ts'
import { pointSchema } from './analytics-view.ts'

const clicks = z.int().min(0).openapi({ example: 12 })

const series = z
  .array(z.strictObject({ date: pointSchema.shape.date, clicks }))
  .nullable()
  .openapi({
    description:
      'Each day, week or month of the range, by the calendar of the other program; null by hours, which are not known.',
  })

const rowsOf = <Row extends z.ZodRawShape>({ row }: { row: Row }) =>
  z.array(z.strictObject({ ...row, clicks }))

export const importedReportSchema = z
  .strictObject({
    clicks: clicks.openapi({
      description: 'Of the range: those of its days, and those without a day that were all in it.',
      example: 402,
    }),
    undated: clicks.openapi({ description: 'Of these, those without a day; `series` lacks them.' }),
    series,
    countries: rowsOf(REPORT_DIMENSIONS.country),
    devices: rowsOf(REPORT_DIMENSIONS.device),
    browsers: rowsOf(REPORT_DIMENSIONS.browser),
    operating_systems: rowsOf(REPORT_DIMENSIONS.os),
    referrers: rowsOf(REPORT_DIMENSIONS.referrer),
    sources: z.array(
      z.strictObject({ source: z.string().nullable().openapi({ example: 'Facebook' }), clicks }),
    ),
  })
  .openapi('ImportedClicks')
export type ImportedReportView = z.infer<typeof importedReportSchema>

export function importedReportView({
  total,
  undated,
  series,
  values,
  sources,
}: ImportedReport): ImportedReportView {
  const breakdowns = IMPORTED_DIMENSIONS.map((name) => {
    const { report, view } = REPORT_DIMENSIONS[name]
    return [report, values[name].map(({ value, clicks: count }) => ({ ...view(value), clicks: count }))]
  })
  return {
    clicks: total,
    undated,
    series: series && series.map(({ label, clicks: count }) => ({ date: label, clicks: count })),
    ...Object.fromEntries(breakdowns),
    sources: sources.map(({ value, clicks: count }) => ({ source: value || null, clicks: count })),
  }
}

const OF_SINGLE_CLICKS = [
  ...REPORT_DIMENSION_NAMES,
  'source',
  ...UTM_NAMES.map((name) => `utm_${name}` as const),
] as const

/** The filters of a report by what is known of each single click, which of imported ones is not. */
export const filtersOfSingleClicks = (
  parameters: Partial<Record<(typeof OF_SINGLE_CLICKS)[number], unknown>>,
): string[] => OF_SINGLE_CLICKS.filter((name) => parameters[name] !== undefined)
