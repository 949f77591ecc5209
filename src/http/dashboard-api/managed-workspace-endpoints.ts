import { validated } from '../../errors/field-errors.ts'
import {
  browseWorkspaces,
  changeWorkspace,
  type ManagedWorkspace,
  workspaceChange,
} from '../../operator/manage-workspaces.ts'
import { reinstateWorkspace, suspendWorkspace } from '../../operator/suspend-workspace.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { hourlyAllowance, limitOrNull } from '../../workspaces/plans.ts'
import { pageMeta, readPage, searchedPageParameters } from '../requests/paged-list.ts'
import { idOf } from '../requests/path-id.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import type { ManagedWorkspaceView } from './types/operator-types.ts'

/** All workspaces, for operators. */
export function managedWorkspaceEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /admin/workspaces', 'operator', async ({ query }) => {
      const page = readPage(searchedPageParameters, query)
      const { workspaces, total } = await browseWorkspaces(deps.db, page)
      return {
        message: 'Workspaces retrieved.',
        data: workspaces.map(workspaceView),
        meta: pageMeta(page, total),
      }
    }),
    endpoint('PUT /admin/workspaces/{id}', 'operator', async ({ params, input, caller }) => {
      const workspaceId = idOf(params)
      await changeWorkspace(deps, caller, { workspaceId, ...validated(workspaceChange, input) })
      return { message: 'Workspace updated.' }
    }),
    endpoint('POST /admin/workspaces/{id}/suspend', 'operator', async ({ params, caller }) => {
      await suspendWorkspace(deps, caller, idOf(params))
      return { message: 'Workspace suspended.' }
    }),
    endpoint('POST /admin/workspaces/{id}/reinstate', 'operator', async ({ params, caller }) => {
      await reinstateWorkspace(deps, caller, idOf(params))
      return { message: 'Workspace reinstated.' }
    }),
  ]
}

const workspaceView = (workspace: ManagedWorkspace): ManagedWorkspaceView => {
  const { plan, rateLimit } = workspace
  const allowance = hourlyAllowance({ plan, rateLimit })
  return {
    id: workspace.id,
    name: workspace.name,
    owner: workspace.ownerEmail,
    plan,
    rate_limit: rateLimit,
    requests_per_hour: limitOrNull(allowance),
    is_suspended: workspace.suspendedAtUs !== null,
    members: workspace.members,
    links: workspace.links,
    clicks: workspace.clicks,
    created_at: isoMicroseconds(workspace.createdAtUs),
  }
}
