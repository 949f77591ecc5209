import { sql } from 'kysely'
import type { Dimension } from '../clicks/facts/dimensions.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import type { ClickQuery } from '../clicks/queries/click-query.ts'
import { DAY_US, QUARTER_US, QUARTERS_OF_HOUR } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { TimeRange } from './time-range.ts'

/** Clicks of all links of a workspace, deleted ones included, or of one link. */
export type ClickScope = { workspaceId: number; linkId?: number }

/** Human clicks, distinct visitors per UTC day, and bot clicks beside them. */
export type ClickCounts = { clicks: number; visitors: number; bots: number }

export type Quarters = Pick<TimeRange, 'fromQuarter' | 'toQuarter'>
export type QuarterCount = ClickCounts & { quarter: number }
/** `total`: the clicks of all values of the dimension. */
export type ValueCount = { dimension: string; value: string; clicks: number; total: number }

const clicksOf = (
  { workspaceId, linkId }: ClickScope,
  { fromQuarter, toQuarter }: Quarters,
): Omit<ClickQuery, 'groups'> => ({
  workspaceId,
  linkIds: linkId === undefined ? undefined : [linkId],
  fromUs: fromQuarter * QUARTER_US,
  toUs: toQuarter * QUARTER_US,
})

type BySteps = { range: Quarters; stepQuarters: number }

/** The clicks of each step of the range that had some, in order. `quarter`: with which the step begins. */
export async function countByStep(
  queries: ClickQueries,
  scope: ClickScope,
  { range, stepQuarters }: BySteps,
): Promise<QuarterCount[]> {
  const [rows] = await queries.answer({
    ...clicksOf(scope, range),
    stepUs: stepQuarters * QUARTER_US,
    groups: [{ by: ['step'] }],
  })
  return rows!
    .map(({ keys: [step], clicks, visitors, workspace_visitors: ofWorkspace, bots }) => ({
      quarter: range.fromQuarter + Number(step) * stepQuarters,
      clicks,
      visitors: scope.linkId === undefined ? ofWorkspace : visitors,
      bots,
    }))
    .toSorted((one, other) => one.quarter - other.quarter)
}

export type ByValue = { range: Quarters; dimensions: readonly Dimension[]; limit: number }

/** Clicks by the values of each dimension, most clicks first, as many values of each as the limit says. */
export async function countByValue(
  queries: ClickQueries,
  scope: ClickScope,
  { range, dimensions, limit }: ByValue,
): Promise<ValueCount[]> {
  const [all, ...breakdowns] = await queries.answer({
    ...clicksOf(scope, range),
    groups: [{ by: [] }, ...dimensions.map((name) => ({ by: [name], top: limit }))],
  })
  const total = all![0]?.clicks ?? 0
  return breakdowns.flatMap((rows, at) =>
    rows
      // Of bots nothing else is known.
      .filter(({ clicks }) => clicks > 0)
      .map(({ keys: [value], clicks }) => ({
        dimension: dimensions[at]!,
        value: String(value),
        clicks,
        total,
      })),
  )
}

/** The same from the kept counters of a workspace, of whole hours. */
export async function countByValueOfHours(
  db: ReadOnlyDb,
  workspaceId: number,
  { range, dimensions, limit }: ByValue,
): Promise<ValueCount[]> {
  const { rows } = await sql<ValueCount>`
    SELECT dimension, value, clicks, total FROM (
      SELECT dimension, value, sum(clicks) AS clicks, sum(sum(clicks)) OVER (PARTITION BY dimension) AS total,
        row_number() OVER (PARTITION BY dimension ORDER BY sum(clicks) DESC, value) AS place
      FROM workspace_hours WHERE workspace_id = ${workspaceId}
        AND dimension IN (${sql.join(dimensions.map((name) => sql.lit(name)))})
        AND hour >= ${range.fromQuarter / QUARTERS_OF_HOUR} AND hour < ${range.toQuarter / QUARTERS_OF_HOUR}
      GROUP BY dimension, value
    ) AS ranked WHERE place <= ${limit} ORDER BY clicks DESC, value`.execute(db)
  return rows.map(({ clicks, total, ...row }) => ({ ...row, clicks: Number(clicks), total: Number(total) }))
}

type LinksInRange = { workspaceId: number; linkIds: readonly number[]; range: Quarters }

/** Clicks of each link in the range. Links without clicks are left out. */
export async function countByLink(
  queries: ClickQueries,
  { workspaceId, linkIds, range }: LinksInRange,
): Promise<Map<number, number>> {
  if (linkIds.length === 0) return new Map()
  const [rows] = await queries.answer({
    ...clicksOf({ workspaceId }, range),
    linkIds,
    groups: [{ by: ['link_id'] }],
  })
  return new Map(rows!.flatMap(({ keys: [id], clicks }) => (clicks > 0 ? [[Number(id), clicks]] : [])))
}

/** Clicks of each link on each UTC day in the range, whose first day begins with it. */
export async function countByLinkAndDay(
  queries: ClickQueries,
  { workspaceId, linkIds, range }: LinksInRange,
): Promise<{ id: number; day: number; clicks: number }[]> {
  const [rows] = await queries.answer({
    ...clicksOf({ workspaceId }, range),
    linkIds,
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
