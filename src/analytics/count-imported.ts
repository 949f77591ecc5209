import { sql } from 'kysely'
import { IMPORTED_DIMENSIONS, type ImportedDimension } from '../clicks/imported/imported-clicks.ts'
import { linkConditions } from '../clicks/queries/query-table.ts'
import { DAY_US, QUARTER_US } from '../runtime/clock.ts'
import { wholeNumber } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { ClickScope } from './count-clicks.ts'
import type { Moments } from './lifetime-range.ts'
import { clicksBySources } from './sources/click-sources.ts'
import { quarterStart, type TimeRange } from './time-range.ts'

// Reports of the clicks that other programs counted. They know days of a calendar and no time zone, so a day stands on the same day of every zone.

type ImportedValue = { value: string; clicks: number }

export type ImportedReport = {
  /** Of the range: those of its days, and those without a day that were all in it. */
  total: number
  /** Of the total, those without a day. */
  undated: number
  /** Of each bucket of the range; null by hours, which nobody knows. */
  series: { label: string; clicks: number }[] | null
  /** Of all of the range, the most clicked first. Each dimension was counted by itself. */
  values: Record<ImportedDimension, ImportedValue[]>
  /** The same referrers, by site or app. */
  sources: ImportedValue[]
}

type Counting = { range: TimeRange; limit: number } & Moments

/** Of a scope without filters by what single clicks are: of imported ones that is not known. */
export async function countImported(
  db: ReadOnlyDb,
  { workspaceId, linkId, links }: ClickScope,
  { range, limit, ...moments }: Counting,
): Promise<ImportedReport> {
  const { first, last } = daysOf(range, moments)
  const conditions = [
    sql`imported_clicks.workspace_id = ${workspaceId} AND kind IN (${sql.join(KINDS)})`,
    sql`first_day >= ${wholeNumber(first)} AND last_day <= ${wholeNumber(last)}`,
    ...linkConditions(db, linkId === undefined ? (links ?? {}) : { linkIds: [linkId] }),
  ]
  // Joined: those of links in the trash are not counted.
  const { rows } = await sql<ImportedRow>`
    SELECT kind, value, CASE WHEN first_day = last_day THEN first_day END AS day, sum(clicks) AS clicks
    FROM imported_clicks JOIN links ON links.id = link_id
    WHERE ${sql.join(conditions, sql` AND `)} GROUP BY 1, 2, 3 ORDER BY clicks DESC, value`.execute(db)
  const counts = rows.map((row) => ({ ...row, clicks: Number(row.clicks) }))
  const all = counts.filter(({ kind }) => kind === 'all')
  const valuesOf = (name: ImportedDimension) =>
    counts.flatMap(({ kind, value, clicks }) => (kind === name ? [{ value, clicks }] : []))
  const values = IMPORTED_DIMENSIONS.map((name) => [name, valuesOf(name).slice(0, limit)])
  return {
    total: sumOf(all),
    undated: sumOf(all.filter(({ day }) => day === null)),
    series: range.granularity === 'hour' ? null : seriesOf(range, all),
    values: Object.fromEntries(values),
    sources: (await clicksBySources(valuesOf('referrer'))).slice(0, limit),
  }
}

type ImportedRow = { kind: string; value: string; day: number | null; clicks: number }

const KINDS = ['all', ...IMPORTED_DIMENSIONS]

const sumOf = (rows: readonly { clicks: number }[]): number =>
  rows.reduce((sum, { clicks }) => sum + clicks, 0)

function seriesOf(
  { buckets, timezone }: TimeRange,
  rows: readonly ImportedRow[],
): NonNullable<ImportedReport['series']> {
  const firstDays = buckets.map(({ fromQuarter }) => dayIn(fromQuarter, timezone))
  const points = buckets.map(({ label }) => ({ label, clicks: 0 }))
  for (const { day, clicks } of rows) {
    if (day === null) continue
    const at = firstDays.findLastIndex((first) => first <= Number(day))
    // Days before the first are of the same beginning in another zone.
    points[Math.max(at, 0)]!.clicks += clicks
  }
  return points
}

/** The whole days of the range, last one included. Before its owner there was nothing, and after now there is nothing. */
function daysOf({ fromQuarter, toQuarter, timezone }: TimeRange, { nowUs, sinceUs }: Moments) {
  const from = quarterStart(fromQuarter, timezone)
  const isWhole = Temporal.ZonedDateTime.compare(from, from.startOfDay()) === 0
  const first = dayIn(fromQuarter, timezone) + (isWhole ? 0 : 1)
  return {
    first: fromQuarter * QUARTER_US <= sinceUs ? 0 : first,
    last: toQuarter * QUARTER_US > nowUs ? Number.MAX_SAFE_INTEGER : dayIn(toQuarter, timezone) - 1,
  }
}

/** Since 1970, of the calendar in the time zone. */
const dayIn = (quarter: number, timezone: string): number =>
  quarterStart(quarter, timezone).toPlainDate().since('1970-01-01').total('days')

/** When its owner was created, or before that the first imported click: reports of all time begin with it. */
export async function sinceFirstImported(
  db: ReadOnlyDb,
  { workspaceId, linkId }: ClickScope,
  createdAtUs: number,
): Promise<number> {
  const all = db.selectFrom('imported_clicks').where('kind', '=', 'all')
  const own =
    linkId === undefined ? all.where('workspace_id', '=', workspaceId) : all.where('link_id', '=', linkId)
  const row = await own
    .select((eb) => eb.fn.min<number | null>('first_day').as('day'))
    .executeTakeFirstOrThrow()
  return row.day === null ? createdAtUs : Math.min(createdAtUs, row.day * DAY_US)
}
