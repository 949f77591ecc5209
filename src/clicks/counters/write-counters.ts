import type { Tx } from '../../store/handles.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { type ClickDimensions, BOT_DIMENSIONS_ID } from './dimensions.ts'
import type { Rollup } from './rollups.ts'

/**
 * Adds to the totals of links and returns the clicks of each. It locks their rows, so until the transaction ends no other one
 * counts clicks of these links.
 */
export async function writeLinkTotals(tx: Tx, { linkTotals }: Rollup): Promise<Map<number, number>> {
  const rows = await addRows<{ link_id: number; clicks: number }>(tx, LINK_TOTALS, [...linkTotals.values()])
  return new Map(rows.map(({ link_id: id, clicks }) => [id, clicks]))
}

/** Adds the rest of a rollup to the counters. */
export async function writeHours(
  tx: Tx,
  { linkHours, linkDimensionHours, workspaceTotals, workspaceHours }: Rollup,
  dimensionIds: ReadonlyMap<ClickDimensions, number>,
): Promise<void> {
  const withIds = linkHours.map(({ dimensions, ...row }) => ({
    ...row,
    dimensions_id: dimensions === undefined ? BOT_DIMENSIONS_ID : dimensionIds.get(dimensions)!,
  }))
  await addRows(tx, LINK_HOURS, withIds)
  await addRows(tx, LINK_DIMENSION_HOURS, linkDimensionHours)
  await addRows(tx, WORKSPACE_TOTALS, [...workspaceTotals.values()])
  await addRows(tx, WORKSPACE_HOURS, workspaceHours)
}

type CounterInsert = RowInsert & { key: readonly string[] }

async function addRows<Returned = never>(
  tx: Tx,
  target: CounterInsert,
  rows: readonly object[],
): Promise<Returned[]> {
  const values = rows.map((row) => target.columns.map((column) => row[column as keyof typeof row]))
  // Sorted by the key, so that neighboring rows are written one after the other.
  values.sort((a, b) => compareUpTo(target.key.length, a, b))
  return writeRows<Returned>(tx, target, values)
}

function compareUpTo(
  length: number,
  a: readonly (number | string)[],
  b: readonly (number | string)[],
): number {
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1
  return 0
}

const COUNTS = ['clicks', 'visitors', 'bots'] as const
const TEXTS = ['dimension', 'value']
const LINK_TOTALS = returning(totals('link_totals', ['link_id'], ['workspace_id']), 'link_id, clicks')
const LINK_HOURS = counters('link_hours', ['link_id', 'hour', 'dimensions_id'])
const LINK_DIMENSION_HOURS = counters('link_dimension_hours', ['link_id', 'dimension', 'hour', 'value'], {
  counts: ['clicks', 'visitors'],
})
const WORKSPACE_TOTALS = totals('workspace_totals', ['workspace_id'])
const WORKSPACE_HOURS = counters('workspace_hours', ['workspace_id', 'dimension', 'hour', 'value'])

/** Adds to rows that exist. */
function counters(
  table: RowInsert['table'],
  key: string[],
  { others = [], counts = COUNTS }: { others?: string[]; counts?: readonly string[] } = {},
): CounterInsert & { then: string } {
  const sums = counts.map((column) => `${column} = ${table}.${column} + excluded.${column}`)
  return {
    table,
    key,
    columns: [...key, ...others, ...counts],
    texts: TEXTS,
    then: `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sums.join(', ')}`,
  }
}

function returning(target: CounterInsert, columns: string): CounterInsert {
  return { ...target, then: `${target.then} RETURNING ${columns}` }
}

/** Counters that also have the time of the latest click, which may be NULL. */
function totals(table: RowInsert['table'], key: string[], others: string[] = []): CounterInsert {
  const { columns, then } = counters(table, key, { others })
  const [old, fresh] = [`${table}.last_clicked_at`, 'excluded.last_clicked_at']
  const latest = `CASE WHEN ${old} IS NULL OR ${fresh} > ${old} THEN ${fresh} ELSE ${old} END`
  return {
    table,
    key,
    columns: [...columns, 'last_clicked_at'],
    then: `${then}, last_clicked_at = ${latest}`,
  }
}
