import { type RawBuilder, sql } from 'kysely'
import { jsonElements, wholeNumber } from '../../store/engine-sql.ts'
import type { AnyDb } from '../../store/handles.ts'
import { COUNT_COLUMNS, type FactCounts } from '../facts/fact-columns.ts'
import {
  type ClickFilter,
  type ClickGroup,
  type ClickQuery,
  type ClickRow,
  type GroupKey,
  inOrder,
  isDimension,
  keysOf,
  type LinkIds,
  ROWS_MAX,
} from './click-query.ts'

/** Of links by their ids, before they are one parameter. */
const PARAMETERS_MAX = 1_000

type GroupRow = FactCounts & { place: number } & Record<`key${number}`, string>

/**
 * Answers a query from the table `clicks`, on both engines of the store. Most clicks share their keys, so clicks are read once for
 * all groups. Visitors can invent a million values: only the first rows leave the database.
 */
export async function queryTable(db: AnyDb, query: ClickQuery): Promise<ClickRow[][]> {
  const keys = keysOf(query)
  const keysMax = Math.max(...query.groups.map(({ by }) => by.length))
  const groups = query.groups.map((group, place) => groupOf(group, place, keysMax))
  const { rows } = await sql<GroupRow>`
    WITH counted AS MATERIALIZED (${clicksByKeys(db, query, keys)})
    ${sql.join(groups, sql` UNION ALL `)} ORDER BY place, rank`.execute(db)
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place))
  return query.groups.map(({ by }, place) => (byPlace.get(place) ?? []).map((row) => clickRow(row, by)))
}

/** The query's clicks, added up by all of these keys. */
export function clicksByKeys(db: AnyDb, query: ClickQuery, keys: readonly GroupKey[]): RawBuilder<unknown> {
  const columns = keys.map((key) => sql`${keyExpression(key, query)} AS ${sql.ref(key)}`)
  return sql`SELECT ${sql.join([...columns, ...SUMS])} FROM clicks WHERE ${conditionsOf(db, query)} ${groupBy(keys)}`
}

const SUMS = COUNT_COLUMNS.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`)

/** All groups have the same columns: keys are texts, '' where others have more keys. */
function groupOf({ by, top = ROWS_MAX }: ClickGroup, place: number, keysMax: number): RawBuilder<unknown> {
  const keys = Array.from({ length: keysMax }, (_, at) => {
    const key = by[at]
    return sql`${key === undefined ? sql`''` : sql`CAST(${sql.ref(key)} AS TEXT)`} AS ${sql.ref(`key${at}`)}`
  })
  const order = inOrder(by).map((key) => (key === 'link_id' ? sql`link_id DESC` : sql.ref(key)))
  const rank = sql`row_number() OVER (ORDER BY ${sql.join([sql`sum(clicks) DESC`, ...order])})`
  return sql`SELECT * FROM (
      SELECT ${sql.join([sql`${sql.lit(place)} AS place, ${rank} AS rank`, ...keys, ...SUMS])}
      FROM counted ${groupBy(by)} ORDER BY rank LIMIT ${wholeNumber(top)}
    ) AS ${sql.ref(`group${place}`)}`
}

const groupBy = (keys: readonly GroupKey[]): RawBuilder<unknown> =>
  keys.length === 0 ? sql`` : sql`GROUP BY ${sql.join(keys.map((key) => sql.ref(key)))}`

function keyExpression(key: GroupKey, { fromUs, stepUs }: ClickQuery): RawBuilder<unknown> {
  return key === 'step' ? sql`(clicked_at - ${wholeNumber(fromUs)}) / ${wholeNumber(stepUs!)}` : sql.ref(key)
}

function conditionsOf(
  db: AnyDb,
  { workspaceId, linkIds, exceptLinkIds, fromUs, toUs, filters = {} }: ClickQuery,
): RawBuilder<unknown> {
  const conditions = [sql`clicked_at >= ${wholeNumber(fromUs)} AND clicked_at < ${wholeNumber(toUs)}`]
  if (workspaceId !== undefined) conditions.push(sql`workspace_id = ${wholeNumber(workspaceId)}`)
  conditions.push(...linkConditions(db, { linkIds, exceptLinkIds }))
  for (const [name, filter] of Object.entries(filters)) conditions.push(passes(db, name, filter))
  return sql.join(conditions, sql` AND `)
}

function passes(db: AnyDb, name: string, filter: ClickFilter): RawBuilder<unknown> {
  const isListed = isOneOf(name, filter.values)
  const hasValue = filter.isNegated ? sql`NOT ${isListed}` : isListed
  if (filter.otherwise === undefined) return hasValue
  const isOfLinks = sql.join(
    [sql`${sql.ref(name)} = ''`, ...linkConditions(db, filter.otherwise)],
    sql` AND `,
  )
  return sql`(${hasValue} OR ${isOfLinks})`
}

export function linkConditions(db: AnyDb, { linkIds, exceptLinkIds = [] }: LinkIds): RawBuilder<unknown>[] {
  const conditions = linkIds === undefined ? [] : [isLinkOf(db, linkIds)]
  return exceptLinkIds.length === 0 ? conditions : [...conditions, sql`NOT ${isLinkOf(db, exceptLinkIds)}`]
}

/** A statement takes some thousands of parameters only. */
const isLinkOf = (db: AnyDb, ids: readonly number[]): RawBuilder<unknown> =>
  ids.length <= PARAMETERS_MAX
    ? isOneOf('link_id', ids)
    : sql`link_id IN (SELECT CAST(CAST(value AS TEXT) AS BIGINT) FROM ${jsonElements(db, JSON.stringify(ids))})`

const isOneOf = (column: string, values: readonly (string | number)[]): RawBuilder<unknown> =>
  values.length === 0 ? sql`FALSE` : sql`${sql.ref(column)} IN (${sql.join(values)})`

const clickRow = (row: GroupRow, by: readonly GroupKey[]): ClickRow => ({
  keys: by.map((key, at) => (isDimension(key) ? row[`key${at}`]! : Number(row[`key${at}`]))),
  // Of no clicks the sums are null.
  clicks: Number(row.clicks ?? 0),
  visitors: Number(row.visitors ?? 0),
  workspace_visitors: Number(row.workspace_visitors ?? 0),
  bots: Number(row.bots ?? 0),
})
