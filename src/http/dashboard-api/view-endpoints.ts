import { deleteView } from '../../links/views/delete-view.ts'
import { listViews, type SavedView } from '../../links/views/list-views.ts'
import { changeView, saveView, type ViewDeps } from '../../links/views/save-view.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { SavedViewView } from './types/link-types.ts'
import { idOf } from '../requests/path-id.ts'

/** Saved views: each belongs to a user in a workspace, viewers included. */
export function viewEndpoints(deps: ViewDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /views', 'links:read', async ({ caller }) => ({
      message: 'Views retrieved.',
      data: (await listViews(deps, caller)).map(viewOf),
    })),
    endpoint('POST /views', 'links:read', async ({ caller, input }) => ({
      status: 201,
      message: 'View saved.',
      data: { id: await saveView(deps, caller, input) },
    })),
    endpoint('PUT /views/{id}', 'links:read', async ({ caller, params, input }) => {
      await changeView(deps, caller, { id: idOf(params), sent: input })
      return { message: 'View updated.' }
    }),
    endpoint('DELETE /views/{id}', 'links:read', async ({ caller, params }) => {
      await deleteView(deps, caller, idOf(params))
      return { message: 'View deleted.' }
    }),
  ]
}

const viewOf = (view: SavedView): SavedViewView => ({
  id: view.id,
  name: view.name,
  query: view.query,
  is_shared: view.isShared,
  is_own: view.isOwn,
  saved_by: view.ownerName,
  created_at: isoMicroseconds(view.createdAtUs),
})
