import { WHOLE_DIMENSIONS } from '../../store/click-dimensions.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import type { AnyDb, Tx } from '../../store/handles.ts'
import type { ImportedClickTable } from '../../store/import-schema.ts'
import type { LinkOfWorkspace } from '../deletion/link-counters.ts'

// Clicks that other programs counted: see ImportedClickTable.

export const IMPORTED_DIMENSIONS = WHOLE_DIMENSIONS
export type ImportedDimension = (typeof IMPORTED_DIMENSIONS)[number]

/** The clicks of a link as another program counted them. Its days and values may have fewer clicks than there are in all. */
export type ImportedClicks = {
  total: number
  /** By days since 1970, in order. */
  days: Map<number, number>
  /** By value; the most clicked first. */
  values: Partial<Record<ImportedDimension, Map<string, number>>>
}

type Row = ImportedClickTable

const IMPORTED_CLICKS: RowInsert = {
  table: 'imported_clicks',
  columns: ['link_id', 'workspace_id', 'kind', 'value', 'first_day', 'last_day', 'clicks'],
  texts: ['kind', 'value'],
}

/** What is known of these links; those without any are left out. */
export async function findImportedClicks(
  db: AnyDb,
  linkIds: readonly number[],
): Promise<Map<number, ImportedClicks>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('imported_clicks')
    .selectAll()
    .where('link_id', 'in', linkIds)
    .orderBy('first_day')
    .orderBy('clicks', 'desc')
    .orderBy('value')
    .execute()
  return new Map([...Map.groupBy(rows, (row) => row.link_id)].map(([id, own]) => [id, clicksOf(own)]))
}

function clicksOf(rows: readonly Row[]): ImportedClicks {
  const all = rows.filter(({ kind }) => kind === 'all')
  const values = IMPORTED_DIMENSIONS.map((name) => {
    const own = rows.filter(({ kind }) => kind === name)
    return [name, new Map(own.map(({ value, clicks }) => [value, clicks]))] as const
  })
  return {
    total: all.reduce((sum, { clicks }) => sum + clicks, 0),
    days: new Map(
      all.flatMap(({ first_day: first, last_day: last, clicks }) =>
        first === last ? [[first, clicks]] : [],
      ),
    ),
    values: Object.fromEntries(values.filter(([, own]) => own.size > 0)),
  }
}

/** `firstDay` and `lastDay`: when those without a day may have been. */
type Kept = { imported: ImportedClicks; firstDay: number; lastDay: number }

/** Keeps these in place of what the link had. */
export async function replaceImportedClicks(
  tx: Tx,
  { linkId, workspaceId }: LinkOfWorkspace,
  { imported: { total, days, values }, firstDay, lastDay }: Kept,
): Promise<void> {
  await removeImportedClicks(tx, linkId)
  const first = Math.min(firstDay, ...days.keys())
  // Of a single day they would be taken for clicks of that day.
  const period = { first_day: first, last_day: Math.max(lastDay, first + 1, ...days.keys()) }
  const dated = [...days.values()].reduce((sum, clicks) => sum + clicks, 0)
  const rows = [
    { kind: 'all', value: '', ...period, clicks: total - dated },
    ...[...days].map(([day, clicks]) => ({ kind: 'all', value: '', first_day: day, last_day: day, clicks })),
    ...IMPORTED_DIMENSIONS.flatMap((kind) =>
      [...(values[kind] ?? [])].map(([value, clicks]) => ({ kind, value, ...period, clicks })),
    ),
  ]
    .filter(({ clicks }) => clicks > 0)
    .map((row) => [linkId, workspaceId, row.kind, row.value, row.first_day, row.last_day, row.clicks])
  await writeRows(tx, IMPORTED_CLICKS, rows)
}

/** Gives how many clicks there were. */
export async function removeImportedClicks(tx: Tx, linkId: number): Promise<number> {
  const rows = await tx
    .deleteFrom('imported_clicks')
    .where('link_id', '=', linkId)
    .returning(['kind', 'clicks'])
    .execute()
  return rows.reduce((sum, { kind, clicks }) => sum + (kind === 'all' ? clicks : 0), 0)
}
