import { sql } from 'kysely'
import { QUARTER_US } from '../../runtime/clock.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { DIMENSIONS } from '../../store/click-dimensions.ts'
import { COUNT_COLUMNS } from '../facts/fact-columns.ts'
import { EngineError } from '../parquet/engine-error.ts'
import {
  type ClickFilter,
  type ClickGroup,
  type ClickQuery,
  type ClickRow,
  type GroupKey,
  isDimension,
  keysOf,
  type LinkIds,
  ROWS_MAX,
} from '../queries/click-query.ts'
import { groupingSets, maskColumn, maskOf, orderOfKeys } from '../queries/grouping-sets.ts'
import { clicksByKeys } from '../queries/query-table.ts'
import { type CountedBatches, DELETIONS, isCounted } from './click-table.ts'
import type { ClickHouse, ExternalTable, Value } from './clickhouse.ts'

/** More are in the table only while the clicks of a store are moved to ClickHouse for the first time, or after it was away. */
const OPEN_ROWS_MAX = 100_000

type EngineDeps = { clickHouse: ClickHouse; msMax: number }
type QueryDeps = EngineDeps & { db: ReadOnlyDb }
type ResultRow = [mask: number, ...values: (number | string)[]]

/** Answers a query from ClickHouse and the clicks that are still in the table, each counted once. */
export async function queryClickHouse(
  { db, clickHouse, msMax }: QueryDeps,
  query: ClickQuery,
): Promise<ClickRow[][]> {
  return queryBatches({ clickHouse, msMax }, query, await openClicks(db, query, keysOf(query)))
}

type CountedClicks = CountedBatches & {
  /** Besides, added up by the keys of the query. */
  rows: readonly Value[][]
}

/** Answers a query from these batches. */
export async function queryBatches(
  { clickHouse, msMax }: EngineDeps,
  query: ClickQuery,
  { rows, ...counted }: CountedClicks,
): Promise<ClickRow[][]> {
  const keys = keysOf(query)
  const structure = [
    ...keys.map((key) => `\`${key}\` ${isDimension(key) ? 'String' : 'Int64'}`),
    ...COUNT_TYPES,
  ]
  const open: ExternalTable = { name: 'open', structure: structure.join(', '), rows }
  const tables = [open, ...linkTables(query)]
  const answers = new Map<ClickGroup, ClickRow[]>()
  const answerTogether = async (top: number, groups: readonly ClickGroup[]) => {
    const { text, values, rowsOf } = compileQuery({ ...query, groups }, { counted, top })
    const results = await clickHouse.rows<ResultRow>(text, { values, tables, msMax })
    for (const group of groups) answers.set(group, rowsOf(results, group))
  }
  await Promise.all([...groupsByTop(query.groups)].map(([top, groups]) => answerTogether(top, groups)))
  return query.groups.map((group) => answers.get(group)!)
}

/** Thousands of ids are too long for parameters. */
const linkTables = ({ linkIds, exceptLinkIds, filters = {} }: ClickQuery): ExternalTable[] => [
  ...idTables({ linkIds, exceptLinkIds }),
  ...Object.entries(filters).flatMap(([name, { otherwise }]) => idTables({ ...otherwise }, name)),
]

const idTables = (sets: Record<string, readonly number[] | undefined>, prefix = ''): ExternalTable[] =>
  Object.entries(sets).flatMap(([name, ids]) =>
    ids === undefined ? [] : [{ name: prefix + name, structure: 'id Int64', rows: ids.map((id) => [id]) }],
  )

const COUNT_TYPES = COUNT_COLUMNS.map((name) => `${name} UInt64`)

/** What the table has, and which batches are in ClickHouse at the same moment: one statement reads both. */
async function openClicks(
  db: ReadOnlyDb,
  query: ClickQuery,
  keys: readonly GroupKey[],
): Promise<CountedClicks> {
  const { rows } = await sql<Record<string, number | string | null>>`
    SELECT *, ${DELETIONS} AS deletions FROM clickhouse_progress LEFT JOIN
      (SELECT * FROM (${clicksByKeys(db, query, keys)}) AS counted WHERE clicks IS NOT NULL LIMIT ${OPEN_ROWS_MAX + 1}) AS open
      ON TRUE`.execute(db)
  if (rows.length > OPEN_ROWS_MAX)
    throw new EngineError('closing', 'The table has too many clicks, which are being moved to ClickHouse.')
  const columns = [...keys, ...COUNT_COLUMNS]
  return {
    batch: Number(rows[0]!.batch),
    deletions: JSON.parse(String(rows[0]!.deletions)),
    rows: rows
      .filter(({ clicks }) => clicks !== null)
      .map((row) => columns.map((name) => (isDimension(name) ? row[name]! : Number(row[name])))),
  }
}

/** One statement for groups with the same number of rows. Values are parameters: the text has names of columns only. */
function compileQuery(query: ClickQuery, { counted, top }: { counted: CountedBatches; top: number }) {
  const { groups, fromUs, toUs, workspaceId = 0, stepUs = 0, filters = {} } = query
  const keys = keysOf(query)
  const filterValues = Object.entries(filters).map(([name, { values }]) => [name, values])
  const values: Record<string, Value> = {
    ...Object.fromEntries(filterValues),
    fromUs,
    toUs,
    workspaceId,
    stepUs,
  }
  const order = ['mask', 'sum_of_clicks DESC', ...orderOfKeys(keys, quoted)]
  const sums = COUNT_COLUMNS.map((name) => `sum(${name}) AS sum_of_${name}`)
  const text = `
    SELECT ${[maskColumn(keys, quoted), ...keys.map(quoted), ...sums]} FROM (
      SELECT ${[...keys.map((key) => `${expressionOf(key)} AS ${quoted(key)}`), ...COUNT_COLUMNS]} FROM clicks
      WHERE ${[isCounted(counted), ...conditionsOf(query)].join(' AND ')}
      UNION ALL SELECT ${[...keys.map(quoted), ...COUNT_COLUMNS]} FROM open
    )
    GROUP BY ${groupingSets(groups, quoted)}
    ORDER BY ${order} LIMIT ${BigInt(top)} BY mask`
  const rowsOf = (results: readonly ResultRow[], { by }: ClickGroup) =>
    results.filter(([its]) => its === maskOf(by, keys)).map(([, ...row]) => clickRow(row, by, keys))
  return { text, values, rowsOf }
}

/** One that is by nothing has a single row, so it joins any other. */
function groupsByTop(groups: readonly ClickGroup[]): Map<number, ClickGroup[]> {
  const topOf = ({ top = ROWS_MAX }: ClickGroup) => top
  const top = topOf(groups.find(({ by }) => by.length > 0) ?? groups[0]!)
  return Map.groupBy(groups, (group) => (group.by.length === 0 ? top : topOf(group)))
}

function conditionsOf({ workspaceId, linkIds, exceptLinkIds, filters = {} }: ClickQuery): string[] {
  const conditions = [
    'clicked_at >= {fromUs:Int64} AND clicked_at < {toUs:Int64}',
    // The key of the table has the quarter of an hour.
    `quarter_at > {fromUs:Int64} - ${QUARTER_US} AND quarter_at < {toUs:Int64}`,
  ]
  if (workspaceId !== undefined) conditions.push('workspace_id = {workspaceId:Int64}')
  conditions.push(...linkConditions({ linkIds, exceptLinkIds }))
  for (const name of DIMENSIONS) {
    const filter = filters[name]
    if (filter !== undefined) conditions.push(passes(name, filter))
  }
  return conditions
}

function passes(name: string, { isNegated, otherwise }: ClickFilter): string {
  const hasValue = `${quoted(name)} ${isNegated ? 'NOT IN' : 'IN'} {${name}:Array(String)}`
  if (otherwise === undefined) return hasValue
  const isOfLinks = [`${quoted(name)} = ''`, ...linkConditions(otherwise, name)].join(' AND ')
  return `(${hasValue} OR ${isOfLinks})`
}

/** By the names of their tables. */
function linkConditions({ linkIds, exceptLinkIds }: LinkIds, prefix = ''): string[] {
  const conditions = linkIds === undefined ? [] : [`link_id IN ${prefix}linkIds`]
  return exceptLinkIds === undefined ? conditions : [...conditions, `link_id NOT IN ${prefix}exceptLinkIds`]
}

const quoted = (name: string) => `\`${name}\``

const expressionOf = (key: GroupKey) =>
  key === 'step' ? 'intDiv(clicked_at - {fromUs:Int64}, {stepUs:Int64})' : quoted(key)

function clickRow(
  values: readonly (number | string)[],
  by: readonly GroupKey[],
  keys: readonly GroupKey[],
): ClickRow {
  const [clicks, visitors, workspaceVisitors, bots] = values.slice(keys.length).map(Number)
  return {
    keys: by.map((key) => values[keys.indexOf(key)]!),
    clicks: clicks!,
    visitors: visitors!,
    workspace_visitors: workspaceVisitors!,
    bots: bots!,
  }
}
