import type { AnyDb } from '../store/handles.ts'

/** Workspaces that count the UTM parameters with which their short URLs are opened. */
export async function readUtmWorkspaces(db: AnyDb): Promise<number[]> {
  const rows = await db
    .selectFrom('workspace_settings')
    .select('workspace_id as id')
    .where('name', '=', 'count_visitor_utm')
    .where('value', '=', 'true')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
