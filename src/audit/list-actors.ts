import type { Caller } from '../access/caller.ts'
import type { ReadOnlyDb } from '../store/handles.ts'

type Named = { id: number; name: string }

/** Whom the log of the workspace can be narrowed to: its members, and all of its API keys, revoked ones too. */
export async function listActors(
  { db }: { db: ReadOnlyDb },
  { workspaceId }: Caller,
): Promise<{ users: Named[]; keys: Named[] }> {
  const users = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name'])
    .where('members.workspace_id', '=', workspaceId)
    .orderBy('users.id')
    .execute()
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
  return { users, keys }
}
