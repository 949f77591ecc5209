import type { MemberRole } from '../../../access/roles-and-scopes.ts'

/** Endpoints of workspaces, members and invitations. Part of DashboardApi. */
export type WorkspaceApi = {
  'POST /workspaces': { input: { name: string }; data: { id: number } }
  /** From the next request on, this browser works in that workspace. */
  'POST /workspaces/{id}/choose': {}
  /** Of the current workspace, as all that follow. */
  'PUT /workspace': { input: { name?: string; requires_second_factor?: boolean } }
  'POST /workspace/leave': {}
  'POST /workspace/transfer': { input: { user_id: number; password: string } }
  'DELETE /workspace': { input: { name: string; password: string } }
}

export type { MemberRole }

export type { SettingsInput, WorkspaceSettings } from '../../../workspaces/settings/workspace-settings.ts'
