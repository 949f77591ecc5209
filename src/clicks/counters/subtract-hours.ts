import type { Tx } from '../../store/handles.ts'
import { OTHER_VALUE } from './bound-values.ts'
import { add, type WorkspaceHour } from './rollups.ts'
import { addWorkspaceHours, writeWorkspaceHours } from './write-counters.ts'

/**
 * Takes these counts from the hours of one workspace, after its totals. What is not under its own value was counted as `other`. Rows of which
 * nothing is left are removed.
 */
export async function subtractWorkspaceHours(tx: Tx, hours: readonly WorkspaceHour[]): Promise<void> {
  const remainders = await addWorkspaceHours(
    tx,
    hours.map((row) => ({ ...row, clicks: -row.clicks, visitors: -row.visitors, bots: -row.bots })),
  )
  await writeWorkspaceHours(tx, takenFromOther(remainders))
  for (const [dimension, rows] of Map.groupBy(hours, (row) => row.dimension)) {
    const ofDay = rows.map(({ hour }) => hour)
    await tx
      .deleteFrom('workspace_hours')
      .where('workspace_id', '=', rows[0]!.workspace_id)
      .where('dimension', '=', dimension)
      .where(
        'hour',
        '>=',
        ofDay.reduce((first, hour) => Math.min(first, hour)),
      )
      .where(
        'hour',
        '<=',
        ofDay.reduce((last, hour) => Math.max(last, hour)),
      )
      .where('clicks', '=', 0)
      .where('visitors', '=', 0)
      .where('bots', '=', 0)
      .execute()
  }
}

/** What makes up for the rows that fell below zero. */
function takenFromOther(left: readonly WorkspaceHour[]): WorkspaceHour[] {
  const others = new Map<string, WorkspaceHour>()
  const raised: WorkspaceHour[] = []
  for (const row of left) {
    const missing = { clicks: Math.max(0, -row.clicks), visitors: Math.max(0, -row.visitors), bots: 0 }
    if (missing.clicks + missing.visitors === 0) continue
    raised.push({ ...row, ...missing })
    const key = `${row.dimension} ${row.hour}`
    const other = others.get(key) ?? { ...row, value: OTHER_VALUE, clicks: 0, visitors: 0, bots: 0 }
    add(other, { clicks: -missing.clicks, visitors: -missing.visitors, bots: 0 })
    others.set(key, other)
  }
  return [...raised, ...others.values()]
}
