import type { SignedInCaller } from '../../access/caller.ts'
import type { AnyDb } from '../../store/handles.ts'

/** More than the members of a workspace can look through. */
const VIEWS_MAX = 1_000

export type SavedView = {
  id: number
  name: string
  isShared: boolean
  isOwn: boolean
  /** Who saved it. */
  ownerName: string
  query: string
  createdAtUs: number
}

/** The caller's views and those that others share, the oldest first. */
export async function listViews(
  { db }: { db: AnyDb },
  { workspaceId, userId }: SignedInCaller,
): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .innerJoin('users', 'users.id', 'saved_views.user_id')
    .selectAll('saved_views')
    .select('users.name as ownerName')
    .where('saved_views.workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('saved_views.user_id', '=', userId), eb('saved_views.is_shared', '=', 1)]))
    .orderBy('saved_views.id')
    .limit(VIEWS_MAX)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isShared: row.is_shared === 1,
    isOwn: row.user_id === userId,
    ownerName: row.ownerName,
    query: row.query,
    createdAtUs: row.created_at,
  }))
}
