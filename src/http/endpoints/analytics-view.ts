import { z } from '@hono/zod-openapi'
import type { BreakdownRow, SeriesPoint } from '../../analytics/click-counts.ts'
import type { Overview } from '../../analytics/overview.ts'
import { clickFilterParameters } from '../../analytics/click-filters.ts'
import { linkFilterParameters, utmFilterParameters } from '../../analytics/link-filters.ts'
import { GRANULARITIES, rangeParameters } from '../../analytics/range-parameters.ts'
import { sourceParameter } from '../../analytics/sources/click-sources.ts'
import {
  REPORT_DIMENSION_NAMES,
  REPORT_DIMENSIONS,
  type ReportDimensionName,
} from '../../analytics/report-dimensions.ts'
import { WHOLE_DIMENSIONS } from '../../store/click-dimensions.ts'
import { comparedMeta, comparedRow } from './comparison-view.ts'
import { timestamp } from './schemas.ts'

/** Of which time a report of one link is, and of which of its clicks. */
export const linkReportParameters = rangeParameters.extend({
  ...clickFilterParameters.shape,
  source: sourceParameter,
  ...utmFilterParameters.shape,
})

/** Of which links a report is, too. */
export const reportParameters = linkReportParameters.extend(linkFilterParameters.shape)

const clicks = () => z.int().min(0).openapi({ example: 120 })
const counts = {
  clicks: clicks(),
  percentage: z.number().openapi({ description: 'Of all clicks of the range, two decimals.', example: 100 }),
}

export const rangeMetaSchema = z
  .strictObject({
    from: timestamp().openapi({ example: '2026-04-14T00:00:00.000000Z' }),
    to: timestamp().openapi({ description: 'Not included.', example: '2026-04-20T12:00:00.000000Z' }),
    granularity: z.enum(GRANULARITIES).openapi({ example: 'day' }),
    timezone: z.string().openapi({ example: 'UTC' }),
    total: clicks().openapi({ description: 'Clicks of the whole range.' }),
    ...comparedMeta,
  })
  .openapi('RangeMeta')

export const pointSchema = z
  .strictObject({
    date: z.string().openapi({
      description:
        '`2026-04-20` by day, the Monday by week, `2026-04` by month, and the start of the hour (`2026-04-20T14:00+02:00`) by hour.',
      example: '2026-04-20',
    }),
    clicks: clicks(),
    unique_visitors: z
      .int()
      .min(0)
      .openapi({ description: 'Distinct per UTC day; several days are their sum.', example: 90 }),
    complete: z.literal(false).optional().openapi({
      description: 'false for the hour, day, week or month that is not over; absent for all others.',
    }),
    previous: z
      .strictObject({
        date: z.string().openapi({ example: '2026-04-13' }),
        clicks: clicks(),
        unique_visitors: clicks(),
      })
      .optional()
      .openapi({ description: 'With `compare` only: the same hour, day, week or month of the time before.' }),
  })
  .openapi('ClicksPoint')

type Reports = typeof REPORT_DIMENSIONS
type Row<Name extends ReportDimensionName> = ReturnType<Reports[Name]['view']> &
  Record<keyof typeof counts, number>
type Breakdowns<Name extends ReportDimensionName> = { [Each in Name as Reports[Each]['report']]: Row<Each>[] }
export type CountryClicks = Row<'country'>

/** Of the breakdown by what is known of clicks. */
export const DIMENSION_ROWS = Object.fromEntries(
  REPORT_DIMENSION_NAMES.map((name) => [name, breakdownRow(REPORT_DIMENSIONS[name])]),
) as Record<ReportDimensionName, z.ZodObject>

export function breakdownRow({ row, rowName }: { row: z.ZodRawShape; rowName: string }): z.ZodObject {
  return z.strictObject({ ...row, ...counts, ...comparedRow }).openapi(rowName)
}

/** By the names of their reports, as the views. */
export const breakdownSchemas = <Name extends ReportDimensionName>(names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name) => [REPORT_DIMENSIONS[name].report, z.array(DIMENSION_ROWS[name])]),
  ) as unknown as { [Report in keyof Breakdowns<Name>]: z.ZodType<Breakdowns<Name>[Report]> }

export const breakdownViews = <Name extends ReportDimensionName>(
  names: readonly Name[],
  by: Record<Name, readonly BreakdownRow[]>,
  limit?: number,
) =>
  Object.fromEntries(
    names.map((name) => {
      const { report, view } = REPORT_DIMENSIONS[name]
      return [
        report,
        by[name].slice(0, limit).map(({ value, ...ofRange }) => ({ ...view(value), ...ofRange })),
      ]
    }),
  ) as unknown as Breakdowns<Name>

const namedLink = {
  id: z.int().openapi({ example: 1 }),
  short_code: z.string().openapi({ example: 'launch' }),
  title: z.string().openapi({ example: 'Launch page' }),
}

export const overviewSchema = z
  .strictObject({
    overview: z.strictObject({
      total_links: z.int().openapi({
        description: 'All links, archived ones included, without those in the trash.',
        example: 82,
      }),
      total_clicks: z.int().openapi({ example: 1284 }),
      active_links: z.int().openapi({
        description:
          'Those that lead visitors to their destination now: not disabled, scheduled, expired, at their limit or blocked. As many as `GET /api/links?status=active&archived=include` lists, but blocked links count as active in workspaces of more than 20,000 links.',
        example: 79,
      }),
      clicks_today: z.int().openapi({ example: 36 }),
    }),
    top_links: z.array(z.strictObject({ ...namedLink, click_count: clicks() })),
  })
  .openapi('Overview')

export const linkAnalyticsSchema = z
  .strictObject({
    link: z.strictObject({
      ...namedLink,
      short_url: z.url().openapi({ example: 'http://localhost:3000/launch' }),
    }),
    total_clicks: clicks().openapi({ description: 'In the range.' }),
    unique_visitors: z.int().min(0).openapi({ example: 90 }),
    bot_clicks: z.int().min(0).openapi({
      description: 'Crawlers and link previews that name themselves; not in total_clicks.',
      example: 14,
    }),
    last_clicked_at: timestamp()
      .nullable()
      .openapi({ description: 'Of all time; null before the first click.' }),
    timeseries: z.array(pointSchema),
    ...breakdownSchemas(WHOLE_DIMENSIONS),
  })
  .openapi('LinkAnalytics')

export const linkClicksSchema = z
  .strictObject({
    ...namedLink,
    domain: z.string().openapi({ example: 'go.example.com' }),
    ...counts,
    ...comparedRow,
  })
  .openapi('LinkClicks')

export const pointView = ({ label, clicks, visitors }: SeriesPoint): z.infer<typeof pointSchema> => ({
  date: label,
  clicks,
  unique_visitors: visitors,
})

export const overviewView = (found: Overview): z.infer<typeof overviewSchema> => ({
  overview: {
    total_links: found.totalLinks,
    total_clicks: found.totalClicks,
    active_links: found.activeLinks,
    clicks_today: found.clicksToday,
  },
  top_links: found.topLinks.map(({ id, code, title, clickCount }) => ({
    id,
    short_code: code,
    title,
    click_count: clickCount,
  })),
})
