import type { AnyDb } from '../store/handles.ts'
import type { ClickScope } from './count-clicks.ts'

/** The time of the latest human click; null if there was none. */
export async function lastClickedAtUs(db: AnyDb, scope: ClickScope): Promise<number | null> {
  const row = await (
    scope.linkId !== undefined
      ? db.selectFrom('link_totals').select('last_clicked_at').where('link_id', '=', scope.linkId)
      : db
          .selectFrom('workspace_totals')
          .select('last_clicked_at')
          .where('workspace_id', '=', scope.workspaceId)
  ).executeTakeFirst()
  return row?.last_clicked_at ?? null
}

/** The time of the latest human click of each link; those without one are not in it. */
export async function lastClicksUs(db: AnyDb, linkIds: readonly number[]): Promise<Map<number, number>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('link_totals')
    .select(['link_id', 'last_clicked_at'])
    .where('link_id', 'in', linkIds)
    .execute()
  return new Map(rows.flatMap(({ link_id: id, last_clicked_at: at }) => (at === null ? [] : [[id, at]])))
}

/** How many clicks of each link another program had counted; links without any are left out. */
export async function importedTotals(db: AnyDb, linkIds: readonly number[]): Promise<Map<number, number>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('imported_clicks')
    .select((eb) => ['link_id', eb.fn.sum<number>('clicks').as('clicks')])
    .where('link_id', 'in', linkIds)
    .where('kind', '=', 'all')
    .groupBy('link_id')
    .execute()
  return new Map(rows.map(({ link_id: id, clicks }) => [id, Number(clicks)]))
}

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
