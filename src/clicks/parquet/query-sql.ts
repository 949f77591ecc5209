import {
  COLUMN_TYPES,
  COUNT_COLUMNS,
  QUARTER_US,
  TEXT_COLUMNS,
  type TextColumn,
} from '../facts/fact-columns.ts'
import type { ClickGroup, ClickQuery, ClickRow } from './click-query.ts'
import type { Value } from './duckdb.ts'
import { OPEN_CLICKS } from './open-clicks.ts'

/** For a group without a bound of its own: quarters of three years. */
const ROWS_MAX = 110_000

type ResultRow = Omit<ClickRow, 'value'> & { mask: number; text: string | null; number: number | null }
type Compiled = { text: string; values: Value[]; groupsOf(rows: ResultRow[]): ClickRow[][] }

/** The statement for a query of these files and the open part. Values are parameters: the text has names of columns only. */
export function compileQuery(query: ClickQuery, files: string[]): Compiled {
  const values: Value[] = []
  const parameter = (value: Value) => `$${values.push(value)}`
  const keys = query.groups.filter(({ by }) => by !== 'total').map(({ by }) => by)
  refuseUnknown(query)
  const masks = query.groups.map(({ by }) => maskOf(by, keys))
  const counts = COUNT_COLUMNS.map((name) => `coalesce(sum(${name}), 0)::BIGINT AS ${name}`)
  const limits = query.groups.map(
    ({ top = ROWS_MAX }, i) => `WHEN ${masks[i]} THEN ${parameter(BigInt(top))}`,
  )
  const text = `
    SELECT mask, text, number, ${COUNT_COLUMNS.join(', ')}
    FROM (
      SELECT ${keys.length === 0 ? '0' : `grouping(${keys.map(quoted)})`} AS mask,
        coalesce(${[...keys.filter(isText).map(quoted), 'NULL::VARCHAR']}) AS text,
        coalesce(${[...keys.filter((key) => !isText(key)).map(quoted), 'NULL::BIGINT']}) AS number, ${counts}
      FROM (
        SELECT ${[...keys.map((key) => `${keyExpression(key)} AS ${quoted(key)}`), ...COUNT_COLUMNS]}
        FROM (${scanOf(files, parameter)})
        WHERE ${conditionsOf(query, parameter).join(' AND ')}
      )
      GROUP BY GROUPING SETS (${query.groups.map(({ by }) => (by === 'total' ? '()' : `(${quoted(by)})`))})
    )
    QUALIFY row_number() OVER (PARTITION BY mask ORDER BY ${orderOf(query)}) <= CASE mask ${limits.join(' ')} END
    ORDER BY mask, ${orderOf(query)}`
  return { text, values, groupsOf: (rows) => masks.map((mask, i) => rowsOf(rows, mask, query.groups[i]!)) }
}

const GROUP_KEYS: readonly string[] = [...TEXT_COLUMNS, 'link_id', 'quarter', 'total']
const ORDER_COLUMNS: readonly string[] = ['clicks', 'visitors', 'bots']

/** Names become part of the statement, so that the types alone are not enough. */
function refuseUnknown({ groups, orderBy = 'clicks' }: ClickQuery): void {
  const keys = groups.map(({ by }) => by)
  if (new Set(keys).size < keys.length) throw new Error('A query groups by each column once.')
  for (const key of keys) if (!GROUP_KEYS.includes(key)) throw new Error(`No query groups by ${key}.`)
  if (!ORDER_COLUMNS.includes(orderBy)) throw new Error(`No query is ordered by ${orderBy}.`)
}

/** All rows of these files, or of none. Columns that a file lacks are null. */
export function scanOf(
  files: readonly string[],
  parameter: (value: Value) => string,
  from = OPEN_CLICKS,
): string {
  if (files.length === 0) return `SELECT * FROM ${from}`
  return `SELECT * FROM ${from} UNION ALL BY NAME
    SELECT * FROM read_parquet(${parameter([...files])}, union_by_name = true)`
}

function conditionsOf(
  { workspaceId, linkIds, fromUs, toUs, filters }: ClickQuery,
  parameter: (value: Value) => string,
) {
  const conditions = [`clicked_at >= ${parameter(BigInt(fromUs))}`, `clicked_at < ${parameter(BigInt(toUs))}`]
  if (workspaceId !== undefined) conditions.push(`workspace_id = ${parameter(BigInt(workspaceId))}`)
  if (linkIds !== undefined)
    conditions.push(`link_id IN (SELECT unnest(${parameter(linkIds.map(BigInt))}::BIGINT[]))`)
  for (const column of TEXT_COLUMNS) {
    const filter = filters?.[column]
    if (filter === undefined) continue
    const isListed = `list_contains(${parameter([...filter.values])}::VARCHAR[], ${keyExpression(column)})`
    conditions.push(filter.isNegated ? `NOT ${isListed}` : isListed)
  }
  return conditions
}

const isText = (by: ClickGroup['by']): by is TextColumn => COLUMN_TYPES[by] === 'VARCHAR'

/** Such names as `language` are words of SQL, too. */
const quoted = (name: string) => `"${name}"`

function keyExpression(by: ClickGroup['by']): string {
  if (by === 'quarter') return `clicked_at // ${QUARTER_US}`
  return isText(by) ? `coalesce(${quoted(by)}, '')` : quoted(by)
}

/** As GROUPING computes it: a bit for each key that the row is not grouped by, the first key in the highest one. */
function maskOf(by: ClickGroup['by'], keys: ClickGroup['by'][]): number {
  const all = 2 ** keys.length - 1
  return by === 'total' ? all : all - 2 ** (keys.length - 1 - keys.indexOf(by))
}

const orderOf = ({ orderBy = 'clicks' }: ClickQuery) => `${orderBy} DESC, text, number`

function rowsOf(rows: ResultRow[], mask: number, { by }: ClickGroup): ClickRow[] {
  const groupRows = rows
    .filter((row) => row.mask === mask)
    .map(({ mask: _, text, number, ...counts }) => ({ value: text ?? number, ...counts }))
  return by === 'quarter' ? groupRows.sort((a, b) => Number(a.value) - Number(b.value)) : groupRows
}
