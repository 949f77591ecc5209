import { DIMENSIONS } from '../../store/click-dimensions.ts'
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
} from '../queries/click-query.ts'
import { groupingSets, maskColumn, maskOf, orderOfKeys } from '../queries/grouping-sets.ts'
import type { ForgottenLinks } from './click-files.ts'
import type { Value } from './duckdb.ts'
import { OPEN_CLICKS } from './open-clicks.ts'

type ResultRow = FactCounts & { mask: number } & Record<GroupKey, string | number>
/** Makes a value a parameter of the statement. */
type Parameter = (value: Value) => string
type Compiled = { text: string; values: Value[]; groupsOf(rows: ResultRow[]): ClickRow[][] }

/** More are not copied for each group to add them up by itself: that takes a third of the CPU of all groups at once, and of a million rows three times as much. */
const COPIED_ROWS_MAX = 200_000

/** One statement for a query of these files and the open part. Values are parameters: the text has names of columns only. */
export function compileQuery(query: ClickQuery, files: readonly string[], scan: Scan = {}): Compiled {
  const values: Value[] = []
  const parameter = (value: Value) => `$${values.push(value)}`
  const keys = keysOf(query)
  const masks = query.groups.map(({ by }) => maskOf(by, keys))
  const columns = keys.map((key) => `${keyExpression(key, query, parameter)} AS ${quoted(key)}`)
  const clicks = `SELECT ${[...columns, ...countsOf(query)]} FROM (${scanOf(files, parameter, { ...scan, isInTime: timeCondition(query, parameter) })})
    ${whereOf(conditionsOf(query, parameter))}`
  const isOneByOne = query.groups.length === 1 || (scan.rows ?? Infinity) <= COPIED_ROWS_MAX
  const text = isOneByOne ? groupsOneByOne(query, keys, clicks) : groupsTogether(query, keys, clicks)
  return { text, values, groupsOf: (rows) => masks.map((mask, i) => rowsOf(rows, mask, query.groups[i]!)) }
}

const countsOf = ({ counts }: ClickQuery): readonly string[] =>
  counts === undefined ? COUNT_COLUMNS : ['clicks', ...counts]

const sumsOf = (query: ClickQuery): string[] =>
  COUNT_COLUMNS.map((name) =>
    countsOf(query).includes(name) ? `coalesce(sum(${name}), 0)::BIGINT AS ${name}` : `0 AS ${name}`,
  )

function groupsOneByOne(query: ClickQuery, keys: readonly GroupKey[], clicks: string): string {
  const { groups } = query
  const parts = groups.map((group) => {
    const columns = keys.map((key) => (group.by.includes(key) ? quoted(key) : `NULL AS ${quoted(key)}`))
    return `(SELECT ${[`${maskOf(group.by, keys)} AS mask`, ...columns, ...sumsOf(query)]} FROM clicks_of_query
      ${groupBy(group)} ${firstRows(group)})`
  })
  // One is read once anyway.
  const kept = groups.length > 1 ? 'MATERIALIZED' : 'NOT MATERIALIZED'
  return `WITH clicks_of_query AS ${kept} (${clicks}) ${inOrderOf(parts, keys)}`
}

const groupBy = ({ by }: ClickGroup) => (by.length === 0 ? '' : `GROUP BY ${by.map(quoted)}`)

function groupsTogether(query: ClickQuery, keys: readonly GroupKey[], clicks: string): string {
  const { groups } = query
  const parts = groups.map(
    (group) => `(FROM counted WHERE mask = ${maskOf(group.by, keys)} ${firstRows(group)})`,
  )
  return `WITH counted AS MATERIALIZED (
      SELECT ${[maskColumn(keys, quoted), ...keys.map(quoted), ...sumsOf(query)]} FROM (${clicks})
      GROUP BY ${groupingSets(groups, quoted)}
    ) ${inOrderOf(parts, keys)}`
}

/** A limit for each, because ranking all rows in a window takes three times the CPU. A parameter would not be used to sort fewer rows. */
const firstRows = ({ by, top = ROWS_MAX }: ClickGroup): string =>
  `ORDER BY ${['clicks DESC', ...orderOfKeys(inOrder(by), quoted)].join(', ')} LIMIT ${BigInt(top)}`

const inOrderOf = (parts: readonly string[], keys: readonly GroupKey[]): string =>
  `FROM (${parts.join(' UNION ALL ')}) ORDER BY ${['mask', 'clicks DESC', ...orderOfKeys(keys, quoted)].join(', ')}`

/** The columns of the open part, and none of its rows. */
export const NO_OPEN_CLICKS = `${OPEN_CLICKS} WHERE FALSE`

type Scan = {
  /** Whose rows come before those of the files. */
  from?: string
  forgotten?: ForgottenLinks | undefined
  /** How many there are at most. */
  rows?: number
  /** What must hold of times, in all files but those that are `within` them: to read times there takes a fifth of the CPU. */
  isInTime?: string
  within?: ReadonlySet<string>
}

/** All rows of these files that count, or of none. Columns that a file lacks are null. */
export function scanOf(
  files: readonly string[],
  parameter: Parameter,
  { from = OPEN_CLICKS, forgotten = {}, isInTime, within }: Scan = {},
): string {
  const inTime = isInTime === undefined ? [] : [isInTime]
  const parts = Map.groupBy(files, (name) => [within?.has(name), ...(forgotten[name] ?? [])].join())
  const scans = [...parts.values()].map((names) => {
    const ids = forgotten[names[0]!] ?? []
    const conditions = within?.has(names[0]!) ? [] : [...inTime]
    if (ids.length > 0)
      conditions.push(`link_id NOT IN (SELECT unnest(${parameter(ids.map(BigInt))}::BIGINT[]))`)
    return `SELECT * FROM read_parquet(${parameter([...names])}, union_by_name = true) ${whereOf(conditions)}`
  })
  return [`SELECT * FROM (SELECT * FROM ${from}) ${whereOf(inTime)}`, ...scans].join(' UNION ALL BY NAME ')
}

const whereOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`

const timeCondition = ({ fromUs, toUs }: ClickQuery, parameter: Parameter): string =>
  `clicked_at >= ${parameter(BigInt(fromUs))} AND clicked_at < ${parameter(BigInt(toUs))}`

function conditionsOf(
  { workspaceId, linkIds, exceptLinkIds, filters }: ClickQuery,
  parameter: Parameter,
): string[] {
  const conditions: string[] = []
  if (workspaceId !== undefined) conditions.push(`workspace_id = ${parameter(BigInt(workspaceId))}`)
  conditions.push(...linkConditions({ linkIds, exceptLinkIds }, parameter))
  for (const name of DIMENSIONS) {
    const filter = filters?.[name]
    if (filter !== undefined) conditions.push(passes(name, filter, parameter))
  }
  return conditions
}

function passes(name: string, { values, isNegated, otherwise }: ClickFilter, parameter: Parameter): string {
  const isListed = `list_contains(${parameter([...values])}::VARCHAR[], ${valueOf(name)})`
  const hasValue = isNegated ? `NOT ${isListed}` : isListed
  if (otherwise === undefined) return hasValue
  const isOfLinks = [`${valueOf(name)} = ''`, ...linkConditions(otherwise, parameter)].join(' AND ')
  return `(${hasValue} OR ${isOfLinks})`
}

function linkConditions({ linkIds, exceptLinkIds = [] }: LinkIds, parameter: Parameter): string[] {
  const isLinkOf = (ids: readonly number[]) =>
    `link_id IN (SELECT unnest(${parameter(ids.map(BigInt))}::BIGINT[]))`
  const conditions = linkIds === undefined ? [] : [isLinkOf(linkIds)]
  return exceptLinkIds.length === 0 ? conditions : [...conditions, `NOT ${isLinkOf(exceptLinkIds)}`]
}

/** Such names as `language` are words of SQL, too. */
const quoted = (name: string) => `"${name}"`

const valueOf = (name: string) => `coalesce(${quoted(name)}, '')`

function keyExpression(key: GroupKey, { fromUs, stepUs }: ClickQuery, parameter: Parameter): string {
  if (key !== 'step') return isDimension(key) ? valueOf(key) : quoted(key)
  return `(clicked_at - ${parameter(BigInt(fromUs))}) // ${parameter(BigInt(stepUs!))}`
}

const rowsOf = (rows: ResultRow[], mask: number, { by }: ClickGroup): ClickRow[] =>
  rows
    .filter((row) => row.mask === mask)
    .map((row) => ({
      keys: by.map((key) => row[key]),
      clicks: row.clicks,
      visitors: row.visitors,
      workspace_visitors: row.workspace_visitors,
      bots: row.bots,
    }))
