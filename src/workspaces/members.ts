import { sql } from 'kysely'
import { MEMBER_ROLES, type MemberRole } from '../access/roles-and-scopes.ts'

/** A role that this version does not know counts as the least. */
export const toMemberRole = (text: string): MemberRole =>
  MEMBER_ROLES.find((role) => role === text) ?? 'viewer'

/** For a query on `users`: whether the user is not suspended, and any of their workspaces is neither suspended nor closed. */
export const canSignIn = sql<boolean>`(users.suspended_at IS NULL AND EXISTS (
  SELECT 1 FROM members AS open_member JOIN workspaces AS open_workspace ON open_workspace.id = open_member.workspace_id
  WHERE open_member.user_id = users.id AND open_workspace.suspended_at IS NULL AND open_workspace.closed_at IS NULL))`
