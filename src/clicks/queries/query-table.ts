import { type RawBuilder, sql } from 'kysely'
import { wholeNumber } from '../../store/engine-sql.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { DIMENSIONS } from '../facts/dimensions.ts'
import { COUNT_COLUMNS, type FactCounts } from '../facts/fact-columns.ts'
import { type ClickGroup, type ClickQuery, type ClickRow, type GroupKey, ROWS_MAX } from './click-query.ts'

/** Answers a query from the table `clicks`, on both engines of the store. */
export async function queryTable(db: ReadOnlyDb, query: ClickQuery): Promise<ClickRow[][]> {
  const breakdowns = query.groups.filter(({ by }) => by.length <= 1 && by.every(isDimension))
  const breakdownRows = breakdowns.length > 0 ? await queryBreakdowns(db, query, breakdowns) : []
  const rows: ClickRow[][] = []
  for (const group of query.groups) {
    const place = breakdowns.indexOf(group)
    rows.push(place === -1 ? await queryGroup(db, query, group) : breakdownRows[place]!)
  }
  return rows
}

const isDimension = (key: GroupKey): boolean => (DIMENSIONS as readonly string[]).includes(key)

const SUMS = sql.join(COUNT_COLUMNS.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`))
const COUNTS = sql.join(COUNT_COLUMNS.map((name) => sql.ref(name)))

type BreakdownRow = FactCounts & { place: number; value: string }

/** Most clicks share their values, so clicks are read once for all breakdowns. Visitors can invent a million values: only the first leave the database. */
async function queryBreakdowns(
  db: ReadOnlyDb,
  query: ClickQuery,
  groups: readonly ClickGroup[],
): Promise<ClickRow[][]> {
  const names = groups.flatMap(({ by }) => by)
  const values = groups.map(
    ({ by: [name] }, place) =>
      sql`SELECT ${sql.lit(place)} AS place, ${name === undefined ? sql`''` : sql.ref(name)} AS value, ${COUNTS} FROM counted`,
  )
  const limits = groups.map(
    ({ top = ROWS_MAX }, place) => sql`WHEN ${sql.lit(place)} THEN ${wholeNumber(top)}`,
  )
  const { rows } = await sql<BreakdownRow>`
    WITH counted AS MATERIALIZED (
      SELECT ${sql.join([...names.map((name) => sql.ref(name)), SUMS])} FROM clicks WHERE ${conditionsOf(query)}
      ${names.length === 0 ? sql`` : sql`GROUP BY ${sql.join(names.map((name) => sql.ref(name)))}`}
    )
    SELECT place, value, ${COUNTS} FROM (
      SELECT place, value, ${SUMS}, row_number() OVER (PARTITION BY place ORDER BY sum(clicks) DESC, value) AS rank
      FROM (${sql.join(values, sql` UNION ALL `)}) AS counts GROUP BY place, value
    ) AS ranked WHERE rank <= CASE place ${sql.join(limits, sql` `)} END ORDER BY clicks DESC, value`.execute(
    db,
  )
  return groups.map(({ by }, place) =>
    rows
      .filter((row) => Number(row.place) === place)
      .map((row) => clickRow(row, by.length === 0 ? [] : [row.value])),
  )
}

async function queryGroup(db: ReadOnlyDb, query: ClickQuery, group: ClickGroup): Promise<ClickRow[]> {
  const { by, top = ROWS_MAX } = group
  const keys = by.map((key, place) => sql`${keyExpression(key, query)} AS ${sql.ref(`key${place}`)}`)
  const numbers = by.map((_, place) => sql.lit(place + 1))
  const order = by.map((key, place) => (key === 'link_id' ? sql`${numbers[place]} DESC` : numbers[place]))
  const { rows } = await sql<FactCounts & Record<string, string | number>>`
    SELECT ${sql.join([...keys, SUMS])} FROM clicks WHERE ${conditionsOf(query)}
    GROUP BY ${sql.join(numbers)} ORDER BY sum(clicks) DESC, ${sql.join(order)} LIMIT ${top}`.execute(db)
  return rows.map((row) =>
    clickRow(
      row,
      by.map((key, place) => (isDimension(key) ? row[`key${place}`]! : Number(row[`key${place}`]))),
    ),
  )
}

function keyExpression(key: GroupKey, { fromUs, stepUs }: ClickQuery): RawBuilder<unknown> {
  if (key !== 'step') return sql.ref(key)
  return sql`(clicked_at - ${wholeNumber(fromUs)}) / ${sql.lit(stepUs!)}`
}

function conditionsOf({ workspaceId, linkIds, fromUs, toUs, filters }: ClickQuery): RawBuilder<unknown> {
  const conditions = [sql`clicked_at >= ${wholeNumber(fromUs)} AND clicked_at < ${wholeNumber(toUs)}`]
  // A link is of one workspace, and has an index on PostgreSQL.
  if (linkIds !== undefined) conditions.push(isOneOf('link_id', linkIds.map(wholeNumber)))
  else if (workspaceId !== undefined) conditions.push(sql`workspace_id = ${wholeNumber(workspaceId)}`)
  for (const [name, { values, isNegated = false }] of Object.entries(filters ?? {})) {
    const isListed = isOneOf(
      name,
      values.map((value) => sql`${value}`),
    )
    conditions.push(isNegated ? sql`NOT ${isListed}` : isListed)
  }
  return sql.join(conditions, sql` AND `)
}

const isOneOf = (column: string, values: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  values.length === 0 ? sql`FALSE` : sql`${sql.ref(column)} IN (${sql.join(values)})`

const clickRow = (row: FactCounts, keys: ClickRow['keys']): ClickRow => ({
  keys,
  clicks: Number(row.clicks ?? 0),
  visitors: Number(row.visitors ?? 0),
  workspace_visitors: Number(row.workspace_visitors ?? 0),
  bots: Number(row.bots ?? 0),
})
