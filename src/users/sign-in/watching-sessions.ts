import type { MemberRole } from '../../access/roles-and-scopes.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { toMemberRole } from '../../workspaces/members.ts'

export type WatchingSession = { sessionId: number; workspaceId: number }

/** The role in its workspace of each browser; undefined: it is not signed in any more, or its user may not see that workspace. */
export async function watchingRoles(
  db: CurrentDb,
  watching: readonly WatchingSession[],
): Promise<(session: WatchingSession) => MemberRole | undefined> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('members', 'members.user_id', 'sessions.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['sessions.id as sessionId', 'members.workspace_id as workspaceId', 'members.role'])
    .where('sessions.id', 'in', [...new Set(watching.map(({ sessionId }) => sessionId))])
    .where('members.workspace_id', 'in', [...new Set(watching.map(({ workspaceId }) => workspaceId))])
    .where('users.suspended_at', 'is', null)
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('workspaces.requires_second_factor', '=', 0), eb('users.totp_enabled_at', 'is not', null)]),
    )
    .execute()
  const roles = new Map(rows.map((row) => [textOf(row), toMemberRole(row.role)]))
  return (session) => roles.get(textOf(session))
}

const textOf = ({ sessionId, workspaceId }: WatchingSession) => `${sessionId} ${workspaceId}`
