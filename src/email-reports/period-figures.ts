import { clickReport, clickSeries, sumSeries } from '../analytics/click-counts.ts'
import { compareRange } from '../analytics/compare-range.ts'
import { countryName } from '../analytics/country-name.ts'
import type { ClickCounts } from '../analytics/count-clicks.ts'
import { countImported } from '../analytics/count-imported.ts'
import { clicksBySource } from '../analytics/sources/click-sources.ts'
import { readTimeRange } from '../analytics/time-range.ts'
import { type RangeLink, topLinks } from '../analytics/top-links.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { datesOf, type ReportPeriod } from './report-period.ts'

/** `sinceUs`: when the workspace was created. */
export type ReportedPeriod = {
  workspaceId: number
  sinceUs: number
  nowUs: number
  period: ReportPeriod
  timezone: string
}

type Share = { name: string; clicks: number; percentage: number }

export type PeriodFigures = {
  now: ClickCounts
  /** What other programs had counted on these days; in none of the other numbers. */
  imported: number
  /** Of the days before, as many; null if the workspace was not there for all of them. */
  before: ClickCounts | null
  links: RangeLink[]
  countries: Share[]
  /** '' is the name of none. */
  sources: Share[]
}

const ROWS_MAX = 5

/** What the endpoints of analytics say about these days. */
export async function periodFigures(
  queries: ClickQueries,
  { workspaceId, sinceUs, nowUs, period, timezone }: ReportedPeriod,
): Promise<PeriodFigures> {
  const query = { ...datesOf(period), timezone }
  const range = readTimeRange(query, nowUs, sinceUs)
  const before = compareRange(range, query, { nowUs, sinceUs })?.before ?? null
  const scope = { workspaceId }
  const ofRange = { range, limit: ROWS_MAX }
  const report = await clickReport(queries, scope, { ...ofRange, dimensions: ['country'] })
  const imported = await countImported(queries.db, scope, { ...ofRange, nowUs, sinceUs })
  return {
    imported: imported.total,
    now: sumSeries(report.series),
    before: before && sumSeries(await clickSeries(queries, scope, before)),
    links: (await topLinks(queries, scope, ofRange)).links,
    countries: report.breakdowns.country.map(({ value, ...counts }) => ({
      name: countryName(value),
      ...counts,
    })),
    sources: (await clicksBySource(queries, scope, ofRange)).rows.map(({ value: name, ...counts }) => ({
      name,
      ...counts,
    })),
  }
}
