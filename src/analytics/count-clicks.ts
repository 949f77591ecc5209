import { sql } from 'kysely'
import { COMMON_VALUES, type Dimension } from '../store/click-dimensions.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { type ClickQuery, type LinkSet, ROWS_MAX } from '../clicks/queries/click-query.ts'
import { DAY_US, QUARTER_US, QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { type ClickFilters, visitorFilters } from './click-filters.ts'
import type { TimeRange } from './time-range.ts'

/** Clicks of all links of a workspace, deleted ones included, or of some or one of them; of these, those that pass the filters. */
export type ClickScope = {
  workspaceId: number
  linkId?: number
  links?: LinkSet | undefined
  filters?: ClickFilters | undefined
}

/** Human clicks, distinct visitors per UTC day, and bot clicks beside them. */
export type ClickCounts = { clicks: number; visitors: number; bots: number }

export type Quarters = Pick<TimeRange, 'fromQuarter' | 'toQuarter'>
export type QuarterCount = ClickCounts & { quarter: number }
/** `total`: the clicks of all values of the dimension. */
export type ValueCount = { dimension: string; value: string; clicks: number; total: number }

export const clicksOf = (
  { workspaceId, linkId, links, filters = {} }: ClickScope,
  { fromQuarter, toQuarter }: Quarters,
): Omit<ClickQuery, 'groups'> => ({
  workspaceId,
  ...(linkId === undefined ? links : { linkIds: [linkId] }),
  filters,
  fromUs: fromQuarter * QUARTER_US,
  toUs: toQuarter * QUARTER_US,
})

export type Limits = {
  /** As many values of each dimension; undefined: all. */
  limit?: number
  /** Of these all. */
  unlimited?: readonly Dimension[]
}

type Counting = Limits & {
  range: Quarters
  /** Of which the range is made. By default it is one step. */
  stepQuarters?: number
  dimensions?: readonly Dimension[]
}

export const limitOf = (name: Dimension, { limit = ROWS_MAX, unlimited = [] }: Limits): number =>
  unlimited.includes(name) ? ROWS_MAX : limit

/** All of it is of the same clicks. */
export type CountedClicks = {
  /** Those of the range that had some clicks, in order, each with the quarter that it begins with. */
  steps: QuarterCount[]
  /** Of each dimension, most clicks first. */
  values: ValueCount[]
}

/** Counts by steps of the range and by the values of dimensions, in one query. */
export async function countClicks(
  queries: ClickQueries,
  scope: ClickScope,
  { range, stepQuarters = range.toQuarter - range.fromQuarter, dimensions = [], ...limits }: Counting,
): Promise<CountedClicks> {
  const visitorsOfScope = scope.linkId === undefined ? 'workspace_visitors' : 'visitors'
  // Of bots nothing else is known, so that a filter for what is unknown would find them.
  const hasFilters = visitorFilters(scope.filters).length > 0
  const [rows, ...breakdowns] = await queries.answer({
    ...clicksOf(scope, range),
    counts: hasFilters ? [visitorsOfScope] : [visitorsOfScope, 'bots'],
    stepUs: stepQuarters * QUARTER_US,
    groups: [{ by: ['step'] }, ...dimensions.map((name) => ({ by: [name], top: limitOf(name, limits) }))],
  })
  const steps = rows!
    .map(({ keys: [step], clicks, bots, ...visitors }) => ({
      quarter: range.fromQuarter + Number(step) * stepQuarters,
      clicks,
      visitors: visitors[visitorsOfScope],
      bots: hasFilters ? 0 : bots,
    }))
    .toSorted((one, other) => one.quarter - other.quarter)
  const total = steps.reduce((sum, { clicks }) => sum + clicks, 0)
  const values = breakdowns.flatMap((breakdown, at) =>
    breakdown
      .filter(({ clicks }) => clicks > 0)
      .map(({ keys: [value], clicks }) => ({
        dimension: dimensions[at]!,
        value: String(value),
        clicks,
        total,
      })),
  )
  return { steps, values }
}

type CountingOfHours = Limits & { range: Quarters; dimensions: readonly Dimension[]; limit: number }
type CountedHours = ValueCount & { hour: number; visitors: number; bots: number }

/** The same from the kept counters of a workspace, of whole hours. `steps` are hours. */
export async function countClicksOfHours(
  db: ReadOnlyDb,
  workspaceId: number,
  { range, dimensions, limit, unlimited = [] }: CountingOfHours,
): Promise<CountedClicks> {
  const names = ['total', ...dimensions].map((name) => sql.lit(name))
  const isUnlimited = sql.join([sql.lit(''), ...unlimited.map((name) => sql.lit(name))])
  // One statement, so that all of it is of the same clicks.
  const { rows } = await sql<CountedHours>`
    WITH counted AS (
      SELECT hour, dimension, value, clicks, visitors, bots FROM workspace_hours
      WHERE workspace_id = ${workspaceId} AND dimension IN (${sql.join(names)})
        AND hour >= ${range.fromQuarter / QUARTERS_OF_HOUR} AND hour < ${range.toQuarter / QUARTERS_OF_HOUR}
    )
    SELECT hour, dimension, value, clicks, visitors, bots, 0 AS total FROM counted WHERE dimension = 'total'
    UNION ALL SELECT 0, dimension, value, clicks, 0, 0, total FROM (
      SELECT dimension, value, sum(clicks) AS clicks, sum(sum(clicks)) OVER (PARTITION BY dimension) AS total,
        row_number() OVER (PARTITION BY dimension ORDER BY sum(clicks) DESC, value) AS place
      FROM counted WHERE dimension <> 'total' GROUP BY dimension, value
    ) AS ranked WHERE place <= ${limit} OR dimension IN (${isUnlimited})`.execute(db)
  const numberRows = rows.map((row) => ({ ...row, clicks: Number(row.clicks), total: Number(row.total) }))
  const isStep = ({ dimension }: CountedHours) => dimension === 'total'
  const total = numberRows.filter(isStep).reduce((sum, { clicks }) => sum + clicks, 0)
  const values = numberRows
    .filter((row) => !isStep(row))
    .map(({ dimension, value, clicks, total }) => ({ dimension, value, clicks, total }))
  return {
    steps: numberRows
      .filter(isStep)
      .map(({ hour, clicks, visitors, bots }) => ({
        quarter: hour * QUARTERS_OF_HOUR,
        clicks,
        visitors,
        bots,
      }))
      .toSorted((one, other) => one.quarter - other.quarter),
    values: [...values, ...commonCounts(values, { dimensions, total })]
      .map((row) => ({ ...row, total }))
      .toSorted((one, other) => other.clicks - one.clicks || (one.value < other.value ? -1 : 1)),
  }
}

/** The hours in which a workspace has clicks with one value of a dimension, from its kept counters. */
export async function countValueOfHours(
  db: ReadOnlyDb,
  workspaceId: number,
  { range, dimension, value }: { range: Quarters; dimension: Dimension; value: string },
): Promise<QuarterCount[]> {
  const hours = await db
    .selectFrom('workspace_hours')
    .select(['hour', 'clicks'])
    .where('workspace_id', '=', workspaceId)
    .where('dimension', '=', dimension)
    .where('value', '=', value)
    .where('hour', '>=', range.fromQuarter / QUARTERS_OF_HOUR)
    .where('hour', '<', range.toQuarter / QUARTERS_OF_HOUR)
    .orderBy('hour')
    .execute()
  return hours.map(({ hour, clicks }) => ({ quarter: hour * QUARTERS_OF_HOUR, clicks, visitors: 0, bots: 0 }))
}

/** What most clicks have is not counted by itself: it is the rest. */
function commonCounts(
  values: readonly ValueCount[],
  { dimensions, total }: { dimensions: readonly Dimension[]; total: number },
): ValueCount[] {
  return dimensions.flatMap((dimension) => {
    const value = COMMON_VALUES[dimension]
    if (value === undefined) return []
    const clicks = total - (values.find((row) => row.dimension === dimension)?.total ?? 0)
    return clicks === 0 ? [] : [{ dimension, value, clicks, total }]
  })
}

type LinksInRange = {
  workspaceId: number
  linkIds: readonly number[]
  filters?: ClickFilters | undefined
  range: Quarters
}

/** Clicks of each link in the range. Links without clicks are left out. */
export async function countByLink(
  queries: ClickQueries,
  { workspaceId, linkIds, filters, range }: LinksInRange,
): Promise<Map<number, number>> {
  if (linkIds.length === 0) return new Map()
  const [rows] = await queries.answer({
    ...clicksOf({ workspaceId, filters }, range),
    linkIds,
    counts: [],
    groups: [{ by: ['link_id'] }],
  })
  return new Map(rows!.flatMap(({ keys: [id], clicks }) => (clicks > 0 ? [[Number(id), clicks]] : [])))
}

/** Clicks of each link on each UTC day in the range, whose first day begins with it. */
export async function countByLinkAndDay(
  queries: ClickQueries,
  { workspaceId, linkIds, range }: Omit<LinksInRange, 'filters'>,
): Promise<{ id: number; day: number; clicks: number }[]> {
  const [rows] = await queries.answer({
    ...clicksOf({ workspaceId }, range),
    linkIds,
    counts: [],
    stepUs: DAY_US,
    groups: [{ by: ['link_id', 'step'] }],
  })
  const firstDay = (range.fromQuarter * QUARTER_US) / DAY_US
  return rows!.map(({ keys: [id, step], clicks }) => ({
    id: Number(id),
    day: firstDay + Number(step),
    clicks,
  }))
}
