import type { Action, MemberRole } from '../../../access/roles-and-scopes.ts'

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

/** A workspace of the user. `members`: how many, the user included. */
export type WorkspaceView = {
  id: number
  name: string
  role: MemberRole
  members: number
  requires_second_factor: boolean
}

export type WorkspacesView = {
  /** The one that this request works in. */
  workspace: WorkspaceView
  workspaces: WorkspaceView[]
  /** Hosts that new links of this workspace can have, its default first. */
  domains: string[]
  /** One workspace, no other member, nobody invited. */
  is_alone: boolean
  /** What the role in the current workspace allows; nothing while `needs_two_factor`. */
  can: Action[]
  /** The current workspace requires a second factor, and the user has none. */
  needs_two_factor: boolean
}

export type { MemberView, PendingInvitationView } from '../../endpoints/member-endpoints.ts'

export type { MemberRole }

export type { SettingsInput, WorkspaceSettings } from '../../../workspaces/settings/workspace-settings.ts'
