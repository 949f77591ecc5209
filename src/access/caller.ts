/** What a key may do. `links:write` includes `links:create`. */
export const SCOPES = ['links:create', 'links:read', 'analytics:read', 'links:write'] as const
export type Scope = (typeof SCOPES)[number]

export type MemberRole = 'owner' | 'admin' | 'editor' | 'viewer'

/** Everything that needs a permission. Keys can only do what scopes name. */
export type Action =
  | Scope
  /** See and revoke the API keys of other members. */
  | 'keys:manage'

/** On whose behalf a request runs. Every query for the data of a workspace takes its id from here. */
export type Caller = {
  workspaceId: number
  /** Null when no user is behind the request. */
  userId: number | null
  can(action: Action): boolean
}

/** A user who is signed in, in one of their workspaces. */
export type SignedInCaller = Caller & { userId: number }

const VIEWER_ACTIONS: readonly Action[] = ['links:read', 'analytics:read']
const EDITOR_ACTIONS: readonly Action[] = [...VIEWER_ACTIONS, 'links:create', 'links:write']
const ADMIN_ACTIONS: readonly Action[] = [...EDITOR_ACTIONS, 'keys:manage']

const ACTIONS_OF_ROLE: Record<MemberRole, readonly Action[]> = {
  owner: ADMIN_ACTIONS,
  admin: ADMIN_ACTIONS,
  editor: EDITOR_ACTIONS,
  viewer: VIEWER_ACTIONS,
}

export type KeyGrant = { workspaceId: number; userId: number | null; scopes: readonly Scope[] }

export function callerWithKey({ workspaceId, userId, scopes }: KeyGrant): Caller {
  const granted: ReadonlySet<Action> = new Set(scopes)
  return {
    workspaceId,
    userId,
    can: (action) => granted.has(action) || (action === 'links:create' && granted.has('links:write')),
  }
}

export type Membership = { workspaceId: number; userId: number; role: MemberRole }

export function callerWithRole({ workspaceId, userId, role }: Membership): SignedInCaller {
  return { workspaceId, userId, can: (action) => ACTIONS_OF_ROLE[role].includes(action) }
}
