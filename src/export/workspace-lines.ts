import type { SignedInCaller } from '../access/caller.ts'
import { listViews } from '../links/views/list-views.ts'
import { isoMicroseconds } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { readSettings } from '../workspaces/settings/read-settings.ts'
import type { ExportLine } from './pages.ts'

/** What the workspace has set, its tags and folders, and the views that the user sees in it. */
export async function workspaceLines(
  deps: { db: ReadOnlyDb },
  caller: SignedInCaller,
): Promise<ExportLine[]> {
  const labels = await deps.db
    .selectFrom('labels')
    .select(['kind as type', 'name', 'color'])
    .where('workspace_id', '=', caller.workspaceId)
    .orderBy('kind')
    .orderBy('folded_name')
    .execute()
  return [
    { type: 'workspace_settings', ...(await readSettings(deps, caller)) },
    ...labels,
    ...(await listViews(deps, caller)).map((view) => ({
      type: 'saved_view',
      name: view.name,
      query: view.query,
      is_shared: view.isShared,
      saved_by: view.ownerName,
      created_at: isoMicroseconds(view.createdAtUs),
    })),
  ]
}
