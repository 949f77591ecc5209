import { sql } from 'kysely'
import type { MemberRole } from '../access/caller.ts'

/** A role that this version does not know counts as the least. */
export const toMemberRole = (text: string): MemberRole =>
  text === 'owner' || text === 'admin' || text === 'editor' ? text : 'viewer'

/** For a query on `users`: whether any workspace of the user is neither suspended nor closed. */
export const hasOpenWorkspace = sql<boolean>`EXISTS (
  SELECT 1 FROM members AS open_member JOIN workspaces AS open_workspace ON open_workspace.id = open_member.workspace_id
  WHERE open_member.user_id = users.id AND open_workspace.suspended_at IS NULL AND open_workspace.closed_at IS NULL)`
