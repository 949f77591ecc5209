import type { CurrentDb } from '../../store/handles.ts'

export type WatchingSession = { sessionId: number; workspaceId: number }

/** Which of these browsers are still signed in, with a user who may see that workspace. */
export async function stillWatching(
  db: CurrentDb,
  watching: readonly WatchingSession[],
): Promise<(session: WatchingSession) => boolean> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('members', 'members.user_id', 'sessions.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['sessions.id as sessionId', 'members.workspace_id as workspaceId'])
    .where('sessions.id', 'in', [...new Set(watching.map(({ sessionId }) => sessionId))])
    .where('members.workspace_id', 'in', [...new Set(watching.map(({ workspaceId }) => workspaceId))])
    .where('users.suspended_at', 'is', null)
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('workspaces.requires_second_factor', '=', 0), eb('users.totp_enabled_at', 'is not', null)]),
    )
    .execute()
  const known = new Set(rows.map(textOf))
  return (session) => known.has(textOf(session))
}

const textOf = ({ sessionId, workspaceId }: WatchingSession) => `${sessionId} ${workspaceId}`
