import type { Caller } from '../../access/caller.ts'
import type { MemberRole } from '../../access/roles-and-scopes.ts'
import type { AnyDb } from '../../store/handles.ts'
import { toMemberRole } from '../../workspaces/members.ts'

/** Of one workspace. */
export const MEMBERS_MAX = 500

export type Member = {
  userId: number
  name: string
  email: string
  role: MemberRole
  hasSecondFactor: boolean
  joinedAtUs: number
  /** The last use of a browser that is signed in, else the last sign-in; null: never. */
  lastActiveAtUs: number | null
  /** Active keys that the member made in this workspace. */
  keys: number
}

/** In alphabetical order. */
export const listMemberNames = (
  { db }: { db: AnyDb },
  { workspaceId }: Pick<Caller, 'workspaceId'>,
): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name'])
    .where('members.workspace_id', '=', workspaceId)
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(MEMBERS_MAX)
    .execute()

/** In the order in which they joined. */
export async function listMembers(
  { db }: { db: AnyDb },
  { workspaceId }: Pick<Caller, 'workspaceId'>,
): Promise<Member[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id as userId', 'users.name', 'users.email', 'members.role', 'users.totp_enabled_at'])
    .select(['members.joined_at as joinedAtUs', 'users.last_signed_in_at'])
    .select((eb) => [
      eb
        .selectFrom('sessions')
        .whereRef('sessions.user_id', '=', 'users.id')
        .select((of) => of.fn.max<number | null>('sessions.last_used_at').as('at'))
        .as('used_at'),
      eb
        .selectFrom('api_keys')
        .whereRef('api_keys.user_id', '=', 'users.id')
        .whereRef('api_keys.workspace_id', '=', 'members.workspace_id')
        .where('api_keys.revoked_at', 'is', null)
        .where('api_keys.is_kept', '=', 0)
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('keys'),
    ])
    .where('members.workspace_id', '=', workspaceId)
    .orderBy('members.joined_at')
    .orderBy('users.id')
    .limit(MEMBERS_MAX)
    .execute()
  return rows.map(({ totp_enabled_at: totp, last_signed_in_at: signedIn, used_at: used, ...row }) => ({
    ...row,
    role: toMemberRole(row.role),
    keys: Number(row.keys),
    hasSecondFactor: totp !== null,
    lastActiveAtUs: used ?? signedIn,
  }))
}
