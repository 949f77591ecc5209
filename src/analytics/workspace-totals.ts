import type { AnyDb } from '../store/handles.ts'

/** All clicks of each workspace. Workspaces without clicks are left out. */
export async function workspaceTotals(
  db: AnyDb,
  workspaceIds: readonly number[],
): Promise<Map<number, { clicks: number; bots: number }>> {
  const rows = await db
    .selectFrom('workspace_totals')
    .select(['workspace_id', 'clicks', 'bots'])
    .where('workspace_id', 'in', workspaceIds)
    .execute()
  return new Map(rows.map(({ workspace_id: id, ...counts }) => [id, counts]))
}
