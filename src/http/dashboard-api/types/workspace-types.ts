import type { Action, MemberRole } from '../../../access/roles-and-scopes.ts'
import type { InviteResult } from '../../../users/members/workspace-invitations.ts'

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

  'GET /members': { data: MemberView[] }
  /** For everybody who sees links: who may have created them. */
  'GET /members/names': { data: { id: number; name: string }[] }
  'PUT /members/{id}': { input: { role: MemberRole } }
  'DELETE /members/{id}': { input: { keep_keys?: boolean } }
  'GET /members/invitations': { data: PendingInvitationView[] }
  'POST /members/invitations': { input: { emails: string[]; role: MemberRole }; data: InviteResult[] }
  /** A new link, for the inviter to pass on. Shown once. */
  'POST /members/invitations/{id}/link': { data: { link: string; expires_at: string } }
  'POST /members/invitations/{id}/send': {}
  'DELETE /members/invitations/{id}': {}
  'POST /invitations/accept': { input: { token: string }; data: { workspace_id: number } }
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

export type MemberView = {
  id: number
  name: string
  email: string
  role: MemberRole
  has_two_factor: boolean
  /** Active API keys. */
  keys: number
  joined_at: string
  last_active_at: string | null
}

export type PendingInvitationView = {
  id: number
  email: string
  role: MemberRole
  invited_by: string | null
  created_at: string
  expires_at: string
}

export type { MemberRole }

export type { SettingsInput, WorkspaceSettings } from '../../../workspaces/settings/workspace-settings.ts'
