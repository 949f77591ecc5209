import {
  type BreakdownRow,
  clickReport,
  clickSeries,
  percentageOf,
  sumSeries,
} from '../analytics/click-counts.ts'
import { compareRange } from '../analytics/compare-range.ts'
import type { ClickScope } from '../analytics/count-clicks.ts'
import { type LifetimeRange, lifetimeRange, todayRange } from '../analytics/lifetime-range.ts'
import { countImported } from '../analytics/count-imported.ts'
import { readLinkFilters } from '../analytics/link-filters.ts'
import { clicksBySource } from '../analytics/sources/click-sources.ts'
import type { Granularity } from '../analytics/time-range.ts'
import { topLinks } from '../analytics/top-links.ts'
import type { Dimension } from '../store/click-dimensions.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import type { Domains } from '../links/domains/domains.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { PublicShare } from './find-public-share.ts'
import type { Panel } from './panels.ts'

export const SHARE_RANGES = ['7d', '30d', '90d', 'all'] as const
export type ShareRange = (typeof SHARE_RANGES)[number]

const ROWS = 8

/** What the dimensions of clicks are shown for. Sources are read by themselves. */
const DIMENSIONS_OF: Partial<Record<Panel, readonly SharedDimension[]>> = {
  countries: ['country'],
  devices: ['device', 'browser'],
  via: ['via'],
}
type SharedDimension = Extract<Dimension, 'country' | 'device' | 'browser' | 'via'>

/** A number of the range, and of its finished part and that of the time before; null where there was none. */
export type Compared = { count: number; change: { now: number; before: number } | null }

export type SharedReport = {
  clicks: Compared
  /** What another program had counted in the range; in none of the other numbers. */
  imported: number
  /** Undefined where the owner has not chosen it, as are all that follow. */
  time?: {
    granularity: Granularity
    points: { label: string; clicks: number }[]
    /** The index of the point that is not over. */
    runningPoint: number | null
    visitors: Compared
    today: number
  }
  breakdowns: Partial<Record<SharedDimension, BreakdownRow[]>>
  sources?: BreakdownRow[]
  links?: (LinkKey & { clicks: number; percentage: number })[]
}

export type SharedReportDeps = { clickQueries: ClickQueries; domains: Pick<Domains, 'idsFor'> }
type ReportQuery = { range: ShareRange; nowUs: number }

/** Reads no more than the owner has chosen. Bots are in none of it. */
export async function readSharedReport(
  { clickQueries: queries, domains }: SharedReportDeps,
  share: PublicShare,
  { range: period, nowUs }: ReportQuery,
): Promise<SharedReport> {
  const shows = (panel: Panel) => share.panels.includes(panel)
  const scope = await scopeOf({ queries, domains }, share)
  const moments = { nowUs, sinceUs: share.sinceUs }
  const range = lifetimeRange({ period, timezone: 'UTC' }, moments)
  const dimensions = share.panels.flatMap((panel) => DIMENSIONS_OF[panel] ?? [])
  const { series, breakdowns } = await clickReport(queries, scope, { range, dimensions, limit: ROWS })
  const { total: imported } = await countImported(queries.db, scope, { range, limit: 0, ...moments })
  const before = compareRange(range, { period, timezone: 'UTC' }, moments)
  const earlier = before?.before ? sumSeries(await clickSeries(queries, scope, before.before)) : null
  const finished = sumSeries(series.slice(0, before?.buckets ?? 0))
  const all = sumSeries(series)
  const compared = (of: 'clicks' | 'visitors'): Compared => ({
    count: all[of],
    change: earlier && { now: finished[of], before: earlier[of] },
  })
  return {
    clicks: compared('clicks'),
    imported,
    ...(shows('clicks') && {
      time: {
        granularity: range.granularity,
        points: series.map(({ label, clicks }) => ({ label, clicks })),
        runningPoint: range.runningBucket,
        visitors: compared('visitors'),
        today: sumSeries(await clickSeries(queries, scope, todayRange(range, nowUs))).clicks,
      },
    }),
    breakdowns,
    ...(shows('sources') && {
      sources: (await clicksBySource(queries, scope, { range, limit: ROWS })).rows,
    }),
    ...(shows('links') && { links: await linkRows(queries, scope, range) }),
  }
}

/** A tag or folder stands for the links that have it now. */
async function scopeOf(
  { queries, domains }: { queries: ClickQueries; domains: SharedReportDeps['domains'] },
  { workspaceId, subject }: PublicShare,
): Promise<ClickScope> {
  if (subject.kind === 'link') return { workspaceId, linkId: subject.id }
  const filters = { [subject.kind]: { values: [subject.name], isNegated: false } }
  return { workspaceId, links: await readLinkFilters(filters, { db: queries.db, domains, workspaceId }) }
}

async function linkRows(
  queries: ClickQueries,
  scope: ClickScope,
  range: LifetimeRange,
): Promise<NonNullable<SharedReport['links']>> {
  const { links, total } = await topLinks(queries, scope, { range, limit: ROWS })
  return links.map(({ domainId, code, clicks }) => ({
    domainId,
    code,
    clicks,
    percentage: percentageOf(clicks, total),
  }))
}

/** For the badge: all clicks of the link, or of the links that have the tag or folder now. */
export async function readSharedTotal(
  { clickQueries: { db } }: Pick<SharedReportDeps, 'clickQueries'>,
  { subject: { kind, id }, workspaceId }: PublicShare,
): Promise<number> {
  const totals = db
    .selectFrom('link_totals')
    .innerJoin('links', 'links.id', 'link_totals.link_id')
    .select((eb) => eb.fn.sum<number | null>('link_totals.clicks').as('clicks'))
    .where('links.workspace_id', '=', workspaceId)
  const labeled = db.selectFrom('link_labels').select('link_id').where('label_id', '=', id)
  const own = kind === 'link' ? totals.where('links.id', '=', id) : totals.where('links.id', 'in', labeled)
  const row = await own.executeTakeFirst()
  return Number(row?.clicks ?? 0)
}
