import { validated } from '../../errors/field-errors.ts'
import { nameBody } from '../../users/sign-up/create-account.ts'
import { leaveOwnWorkspace, newOwner, transferWorkspace } from '../../users/members/member-changes.ts'
import { changeWorkspace, workspaceChanges } from '../../users/members/change-workspace.ts'
import { deleteWorkspace } from '../../users/members/delete-workspace.ts'
import { chooseWorkspace, makeWorkspace } from '../../users/members/workspaces-of-user.ts'
import { idOf } from '../requests/path-id.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import { prove, proven } from './proven-change.ts'

/** Workspaces of the signed-in user: to choose, and to change the current one. */
export function ownWorkspaceEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { db } = deps
  return [
    endpoint('POST /workspaces', 'verified', async ({ caller, input }) => ({
      status: 201,
      message: 'Workspace created.',
      data: { id: await makeWorkspace(deps, caller, validated(nameBody, input).name) },
    })),
    endpoint('POST /workspaces/{id}/choose', 'signed-in', async ({ session, params }) => {
      await chooseWorkspace({ db }, session, idOf(params))
      return { message: 'Workspace chosen.' }
    }),
    endpoint('PUT /workspace', 'workspace:write', async ({ caller, input }) => {
      await changeWorkspace(deps, caller, validated(workspaceChanges, input))
      return { message: 'Workspace updated.' }
    }),
    endpoint('POST /workspace/leave', 'verified', async ({ caller }) => {
      await leaveOwnWorkspace(deps, caller)
      return { message: 'You have left the workspace.' }
    }),
    endpoint('POST /workspace/transfer', 'workspace:own', async (request) => {
      const { caller, input } = request
      await prove(deps, request)
      await transferWorkspace(deps, caller, validated(newOwner, input).user_id)
      return { message: 'Workspace transferred.' }
    }),
    endpoint('DELETE /workspace', 'workspace:own', async (request) => {
      const { caller, input } = request
      const { name } = input
      await proven(deps, request, (proof) => deleteWorkspace(deps, caller, { name, proof }))
      return { message: 'Workspace deleted.' }
    }),
  ]
}
