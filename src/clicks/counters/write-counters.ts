import type { Tx } from '../../store/handles.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import type { Rollup, WorkspaceHour } from './rollups.ts'

/** Adds to the totals of links. It locks their rows, so until the transaction ends no other one counts clicks of these links. */
export async function writeLinkTotals(tx: Tx, { linkTotals }: Rollup): Promise<void> {
  await addRows(tx, LINK_TOTALS, [...linkTotals])
}

/**
 * Adds to the totals of workspaces and returns the clicks of each. Until the transaction ends no other one counts clicks of
 * these workspaces.
 */
export async function writeWorkspaceTotals(
  tx: Tx,
  { workspaceTotals }: Rollup,
): Promise<Map<number, number>> {
  const rows = await addRows<{ workspace_id: number; clicks: number }>(tx, WORKSPACE_TOTALS, [
    ...workspaceTotals,
  ])
  return new Map(rows.map(({ workspace_id: id, clicks }) => [id, clicks]))
}

export async function writeWorkspaceHours(tx: Tx, hours: readonly WorkspaceHour[]): Promise<void> {
  await addRows(tx, WORKSPACE_HOURS, hours)
}

/** The same, and returns the rows as they are then. */
export const addWorkspaceHours = (tx: Tx, hours: readonly WorkspaceHour[]): Promise<WorkspaceHour[]> =>
  addRows<WorkspaceHour>(tx, RETURNED_HOURS, hours)

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
const LINK_TOTALS = totals('link_totals', ['link_id'], ['workspace_id'])
const WORKSPACE_TOTALS = returning(totals('workspace_totals', ['workspace_id']), 'workspace_id, clicks')
const WORKSPACE_HOURS = counters('workspace_hours', ['workspace_id', 'dimension', 'hour', 'value'])
const RETURNED_HOURS = returning(WORKSPACE_HOURS, WORKSPACE_HOURS.columns.join(', '))

/** Adds to rows that exist. */
function counters(
  table: RowInsert['table'],
  key: string[],
  others: string[] = [],
): CounterInsert & { then: string } {
  const sums = COUNTS.map((column) => `${column} = ${table}.${column} + excluded.${column}`)
  return {
    table,
    key,
    columns: [...key, ...others, ...COUNTS],
    texts: TEXTS,
    then: `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sums.join(', ')}`,
  }
}

function returning(target: CounterInsert, columns: string): CounterInsert {
  return { ...target, then: `${target.then} RETURNING ${columns}` }
}

/** Counters that also have the time of the latest click, which may be NULL. */
function totals(table: RowInsert['table'], key: string[], others: string[] = []): CounterInsert {
  const { columns, then } = counters(table, key, others)
  const old = `${table}.last_clicked_at`
  const fresh = 'excluded.last_clicked_at'
  const latest = `CASE WHEN ${old} IS NULL OR ${fresh} > ${old} THEN ${fresh} ELSE ${old} END`
  return {
    table,
    key,
    columns: [...columns, 'last_clicked_at'],
    then: `${then}, last_clicked_at = ${latest}`,
  }
}
