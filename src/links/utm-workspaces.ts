import type { AnyDb } from '../store/handles.ts'

/** Workspaces that count the UTM parameters with which their short URLs are opened, in the memory of the redirect thread. */
export class UtmWorkspaces {
  ids: ReadonlySet<number> = new Set()

  replace(ids: readonly number[]): void {
    this.ids = new Set(ids)
  }
}

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
