import { deleteForGood } from '../../links/trash/forget-deleted-links.ts'
import { restoreLink, type RestoreLinkDeps } from '../../links/trash/restore-link.ts'
import { idOf } from '../requests/path-id.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

/** One deleted link of several with the same code, which the API's endpoints cannot name. */
export function dashboardTrashEndpoints(deps: RestoreLinkDeps): DashboardEndpoint[] {
  return [
    endpoint('POST /trash/links/{id}/restore', 'links:write', async ({ caller, params }) => {
      await restoreLink(deps, caller, { id: idOf(params) })
      return { message: 'Link restored.' }
    }),
    endpoint('DELETE /trash/links/{id}', 'links:write', async ({ caller, params }) => {
      await deleteForGood(deps, caller, { id: idOf(params) })
      return { message: 'Link deleted for good.' }
    }),
  ]
}
